package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;

/**
 * One time of leading. A term is no proof that it lasts: each change under it brings its {@link
 * #claim()}, so that the target can refuse a term that is over.
 *
 * @param token greater than that of every term before
 * @param holder who leads, for people
 * @param instanceId the public id of the instance that leads
 * @param sinceNanos when it was won, on the ticker of {@code Leases}
 */
public record Term(
    LeaseKey key, Token token, String holder, InstanceId instanceId, long sinceNanos) {
  /** What to bring to a target. */
  public Claim claim() {
    return new Claim(key, token, holder).ofInstance(instanceId.text());
  }
}
