package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.Command;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * What must be true of every answer, whatever store it comes from. It is checked always, since it
 * costs next to nothing. A broken one stops the lease that it was found with, not the process, and
 * is said: to whoever holds the lease, and in the log.
 */
final class Invariants {
  private static final System.Logger LOG = System.getLogger(Invariants.class.getName());
  private static final long MILLI = 1_000_000;

  private Invariants() {}

  /** A grant is the one that was asked for, and lasts no longer than that. */
  static Optional<String> brokenByGrant(Command.Acquire asked, Grant grant, long remainingMillis) {
    if (!grant.instanceId().equals(asked.instance().id())) {
      return Optional.of("the store told the grant of another instance");
    }
    if (!grant.requestId().equals(asked.requestId())) {
      return Optional.of("the store told the grant of another request");
    }
    return brokenByRemaining(remainingMillis, asked.terms().ttlMillis());
  }

  /** No grant lasts longer than its ttl from now: whoever believes it would outlast the store. */
  static Optional<String> brokenByRemaining(long remainingMillis, long longestMillis) {
    return remainingMillis >= 0 && remainingMillis <= longestMillis
        ? Optional.empty()
        : Optional.of(
            "the store said that "
                + remainingMillis
                + " ms remain of a grant, where 0 to "
                + longestMillis
                + " ms can");
  }

  /**
   * An attempt is answered later than it was sent, and shortens nothing. That holds for answers out
   * of order too: each renewal gives a full ttl from when it was decided.
   */
  static Optional<String> brokenByRenewal(HeldLease lease, Answered answered) {
    if (answered.nowNanos() - answered.sentNanos() < 0) {
      return Optional.of("the ticker went back");
    }
    long latestEnd = answered.nowNanos() + answered.remainingMillis() * MILLI;
    if (latestEnd - lease.trustUntilNanos() < 0) {
      return Optional.of("the store cut short what it had promised before");
    }
    return brokenByRemaining(answered.remainingMillis(), lease.longestRemainingMillis());
  }

  /** What a renewal was told, and when it was sent and answered. */
  record Answered(long sentNanos, long nowNanos, long remainingMillis) {}

  static void report(LeaseKey key, String broken) {
    LOG.log(Level.ERROR, "{0} is stopped: {1}", key, broken);
  }
}
