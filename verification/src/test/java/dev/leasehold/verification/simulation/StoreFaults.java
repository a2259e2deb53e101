package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import java.util.Set;

/** What is wrong with the store for a while. */
final class StoreFaults {
  private final World world;
  private long downUntilNanos;
  private long slowUntilNanos;
  private long failingUntilNanos;
  private long hungUntilNanos;
  private Set<LeaseKey> hungKeys = Set.of();

  StoreFaults(World world) {
    this.world = world;
  }

  void goDown(long forNanos) {
    downUntilNanos = Math.max(downUntilNanos, world.now() + forNanos);
  }

  void slowDown(long forNanos) {
    slowUntilNanos = Math.max(slowUntilNanos, world.now() + forNanos);
  }

  void fail(long forNanos) {
    failingUntilNanos = Math.max(failingUntilNanos, world.now() + forNanos);
  }

  void hangRenewalsOf(LeaseKey key, long forNanos) {
    hungKeys = Set.of(key);
    hungUntilNanos = world.now() + forNanos;
  }

  boolean isDown() {
    return world.now() < downUntilNanos;
  }

  boolean isSlow() {
    return world.now() < slowUntilNanos;
  }

  boolean isFailing() {
    return world.now() < failingUntilNanos;
  }

  boolean hangsRenewalsOf(LeaseKey key) {
    return world.now() < hungUntilNanos && hungKeys.contains(key);
  }
}
