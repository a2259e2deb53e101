package dev.leasehold.kernel.model;

import dev.leasehold.fence.IllFormedException;
import java.time.Duration;

/**
 * How long a holder may renew without progress before it loses the lease. Renewal alone proves that
 * a process lives, not that its work moves; with a limit, it must prove both.
 *
 * @param millis the limit, or 0 where none is set
 */
public record StallLimit(long millis) {
  private static final long MAX_MILLIS = Duration.ofDays(1).toMillis();

  public static final StallLimit NONE = new StallLimit(0);

  public StallLimit {
    if (millis < 0 || millis > MAX_MILLIS) {
      throw new IllFormedException(
          "stall limit of " + millis + " ms: it must be from 1 ms to 24 h, or 0 for none");
    }
  }

  public static StallLimit of(Duration limit) {
    if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllFormedException("stall limit of " + limit + ": it must be from 1 ms to 24 h");
    }
    return new StallLimit(limit.toMillis());
  }

  /** Whether a mark that last moved at that time has now stood still for too long. */
  public boolean isReached(long movedAtMillis, long nowMillis) {
    return millis > 0 && nowMillis - movedAtMillis >= millis;
  }
}
