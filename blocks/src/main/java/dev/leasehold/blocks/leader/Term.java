package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.InstanceId;

/**
 * One tenure of leadership. It is a name for it and no proof that it lasts: whatever is changed
 * under it brings its {@link #claim()} along, so that the target can refuse a term that is over.
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
