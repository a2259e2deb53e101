package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;
import java.time.Duration;

/**
 * The bounds of one store. They are data, so that the rules serve every store.
 *
 * @param skewMillis how far the store's own clocks may be apart: 50 on one PostgreSQL or SQLite,
 *     the cluster's maximum offset if there are several
 * @param memoryMillis how long a request id is remembered, at least 10 minutes
 * @param endingsKept how many ended grants of a key are remembered with their reason
 */
public record Limits(long skewMillis, long memoryMillis, int endingsKept) {
  public static final long MIN_TTL_MILLIS = 200;
  public static final long MAX_TTL_MILLIS = Duration.ofHours(24).toMillis();
  public static final long MIN_MEMORY_MILLIS = Duration.ofMinutes(10).toMillis();
  public static final long MIN_BAR_MILLIS = Duration.ofSeconds(30).toMillis();
  public static final long MIN_HOLD_OFF_MILLIS = Duration.ofSeconds(30).toMillis();

  /** A ttl spans at least this many skew bounds, so that a margin of one leaves time to act. */
  private static final int SKEWS_PER_TTL = 4;

  /** One database on one machine. */
  public static final Limits SINGLE_NODE = new Limits(50, MIN_MEMORY_MILLIS, 8);

  public Limits {
    if (skewMillis < 0 || skewMillis > MAX_TTL_MILLIS / SKEWS_PER_TTL) {
      throw new IllFormedException(
          "a skew bound of "
              + skewMillis
              + " ms: it must be from 0 ms to a fourth of the longest ttl, 24 h");
    }
    if (memoryMillis < MIN_MEMORY_MILLIS) {
      throw new IllFormedException(
          "requests must be remembered for at least "
              + MIN_MEMORY_MILLIS
              + " ms, not "
              + memoryMillis);
    }
    if (endingsKept < 1) {
      throw new IllFormedException("at least one ended grant is remembered per key");
    }
  }

  public long minTtlMillis() {
    return Math.max(MIN_TTL_MILLIS, SKEWS_PER_TTL * skewMillis);
  }

  /** Refuses a ttl that this store cannot keep, and says which bound it breaks and why. */
  public void requireTtl(long ttlMillis) {
    if (ttlMillis < minTtlMillis()) {
      throw new IllFormedException(
          "ttl of "
              + ttlMillis
              + " ms is too short: this store needs at least "
              + minTtlMillis()
              + " ms (200 ms, or 4 times its clock skew bound of "
              + skewMillis
              + " ms)");
    }
    if (ttlMillis > MAX_TTL_MILLIS) {
      throw new IllFormedException(
          "ttl of " + ttlMillis + " ms is too long: at most 24 h (" + MAX_TTL_MILLIS + " ms)");
    }
  }
}
