package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.Command;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * What must be true of every answer of every store. It is checked always, since the check costs
 * next to nothing. A violation ends the lease that it concerns, not the process; the holder is told
 * the reason, and it is logged.
 */
final class Invariants {
  private static final System.Logger LOG = System.getLogger(Invariants.class.getName());
  private static final long MILLI = 1_000_000;

  private Invariants() {}

  /** A grant is the one that the command asked for, and lasts no longer than asked. */
  static Optional<String> brokenByGrant(Command.Acquire asked, Grant grant, long remainingMillis) {
    if (!grant.instanceId().equals(asked.instance().id())) {
      return Optional.of("the store answered with the grant of another instance");
    }
    if (!grant.requestId().equals(asked.requestId())) {
      return Optional.of("the store answered with the grant of another request");
    }
    return brokenByRemaining(remainingMillis, asked.terms().ttlMillis());
  }

  /**
   * No grant lasts longer than its ttl from now. A holder that trusted such an answer could trust
   * its lease after the store has granted the key to another.
   */
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
   * An attempt is answered after it was sent, and does not shorten the trust. This is also true of
   * answers out of order: each renewal grants a full ttl from its decision.
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

  /** The remaining time that a renewal was answered, and when it was sent and answered. */
  record Answered(long sentNanos, long nowNanos, long remainingMillis) {}

  static void report(LeaseKey key, String broken) {
    LOG.log(Level.ERROR, "{0} is stopped: {1}", key, broken);
  }
}
