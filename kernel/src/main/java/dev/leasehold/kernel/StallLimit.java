package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;
import java.time.Duration;

/**
 * How long a holder may renew without progress before it loses the lease. A pulse proves that a
 * process lives, not that its work moves; with a limit, renewal needs evidence of both.
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
    return new StallLimit(limit.toMillis());
  }

  /** Whether a mark that last moved then has stood still for too long now. */
  public boolean isReached(long movedAtMillis, long nowMillis) {
    return millis > 0 && nowMillis - movedAtMillis >= millis;
  }
}
