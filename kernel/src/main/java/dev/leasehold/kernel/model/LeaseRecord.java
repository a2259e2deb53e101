package dev.leasehold.kernel.model;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.util.Optional;

/**
 * What a store keeps of one key. It outlives its grants.
 *
 * @param last the highest token issued for the key: that of its latest grant, or the void one above
 *     it after a revocation or a stall; for a key without a record, its bucket's floor
 * @param grant the latest grant, ended or not
 * @param writtenAtMillis store time of the last change; for this key, time never goes behind it
 */
public record LeaseRecord(
    LeaseKey key,
    Token last,
    Optional<Grant> grant,
    Optional<Closure> closure,
    Optional<Bar> bar,
    long writtenAtMillis) {

  /** The record of a key that has none, in a bucket with this floor. */
  public static LeaseRecord blank(LeaseKey key, Token floor) {
    return new LeaseRecord(key, floor, Optional.empty(), Optional.empty(), Optional.empty(), 0);
  }

  /** Whether the key has no record in the store. */
  public boolean isBlank() {
    return writtenAtMillis == 0;
  }

  /** The latest grant, if it has not ended. */
  public Optional<Grant> currentGrant() {
    return grant.filter(Grant::isCurrent);
  }

  public LeaseRecord withGrant(Grant newGrant, long nowMillis) {
    return new LeaseRecord(key, last, Optional.of(newGrant), closure, bar, nowMillis);
  }

  public LeaseRecord withLast(Token newLast) {
    return new LeaseRecord(key, newLast, grant, closure, bar, writtenAtMillis);
  }

  public LeaseRecord withClosure(Optional<Closure> newClosure) {
    return new LeaseRecord(key, last, grant, newClosure, bar, writtenAtMillis);
  }

  public LeaseRecord withBar(Optional<Bar> newBar) {
    return new LeaseRecord(key, last, grant, closure, newBar, writtenAtMillis);
  }

  public LeaseRecord writtenAt(long nowMillis) {
    return new LeaseRecord(key, last, grant, closure, bar, nowMillis);
  }
}
