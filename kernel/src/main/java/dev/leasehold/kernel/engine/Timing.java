package dev.leasehold.kernel.engine;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;

/**
 * When a lease is renewed, how much earlier than the store its holder stops trusting it, and how
 * long before that its work is told to stop.
 *
 * @param atMostNanos the longest time that the lease is held, although it could be renewed
 */
public record Timing(
    long ttlNanos, long renewEveryNanos, long marginNanos, long graceNanos, long atMostNanos) {
  /** No limit: a hundred years, which can be added to every ticker without overflow. */
  public static final long WITHOUT_END = Duration.ofDays(36_500).toNanos();

  private static final long MILLI = 1_000_000;
  private static final long LONGEST_TIMEOUT = AnswerTimes.PROMISED.toNanos();
  private static final long FIRST_BACKOFF = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_BACKOFF = Duration.ofSeconds(10).toNanos();

  /**
   * The shortest interval of renewals, to spare the store; a third of the shortest ttl is longer.
   */
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(50);

  private static final Duration LONGEST_COUNTED = Duration.ofMillis(Long.MAX_VALUE);
  private static final int MARGINS_PER_TTL = 10;
  private static final int RENEWALS_PER_TTL = 3;
  private static final int ATTEMPTS_PER_TTL = 6;

  /**
   * The default: renewed after a third of the ttl, with a margin of a tenth of it or the store's
   * skew.
   */
  public static Timing of(Duration ttl, Duration grace, Limits limits) {
    return of(ttl, ttl.dividedBy(RENEWALS_PER_TTL), grace, limits);
  }

  /** Renewed at the interval that the caller chose. */
  public static Timing of(Duration ttl, Duration renewEvery, Duration grace, Limits limits) {
    requireFit(ttl, grace, limits);
    requireInterval(ttl, renewEvery);
    long ttlNanos = ttl.toNanos();
    long margin = Math.max(ttlNanos / MARGINS_PER_TTL, limits.skewMillis() * MILLI);
    Timing timing =
        new Timing(ttlNanos, renewEvery.toNanos(), margin, grace.toNanos(), WITHOUT_END);
    timing.requireRoomToAct();
    return timing;
  }

  /** The same, but the lease ends after this time even if the store would renew it. */
  public Timing atMost(Duration longest) {
    long nanos =
        longest.compareTo(Duration.ofNanos(WITHOUT_END)) < 0 ? longest.toNanos() : WITHOUT_END;
    if (nanos <= graceNanos) {
      throw new IllFormedException(
          "at most "
              + text(longest)
              + " leaves no time for the work: it is told to stop "
              + millis(graceNanos)
              + " earlier (the stop grace)");
    }
    return new Timing(ttlNanos, renewEveryNanos, marginNanos, graceNanos, nanos);
  }

  /** Checked before anything is computed, since some durations exceed a long of nanoseconds. */
  private static void requireFit(Duration ttl, Duration grace, Limits limits) {
    limits.requireTtl(ttl.compareTo(LONGEST_COUNTED) > 0 ? Long.MAX_VALUE : ttl.toMillis());
    if (grace.isNegative()) {
      throw new IllFormedException(
          "a stop grace of " + grace.toMillis() + " ms: it cannot be negative");
    }
    if (grace.compareTo(ttl) > 0) {
      throw new IllFormedException(
          "a stop grace of " + text(grace) + " is longer than the ttl, " + text(ttl));
    }
  }

  private static void requireInterval(Duration ttl, Duration renewEvery) {
    if (renewEvery.compareTo(SHORTEST_INTERVAL) < 0) {
      throw new IllFormedException(
          "a renewal interval of "
              + renewEvery.toMillis()
              + " ms: it is at least "
              + SHORTEST_INTERVAL.toMillis()
              + " ms");
    }
    if (renewEvery.compareTo(ttl) >= 0) {
      throw new IllFormedException(
          "a renewal interval of "
              + text(renewEvery)
              + " is not shorter than the ttl, "
              + text(ttl));
    }
  }

  /**
   * Checked before anything is sent: a lease that ends before its first renewal could not be kept.
   */
  private void requireRoomToAct() {
    if (ttlNanos <= renewEveryNanos + graceNanos + marginNanos) {
      throw new IllFormedException(
          "ttl of "
              + millis(ttlNanos)
              + " is too short: renewal interval ("
              + millis(renewEveryNanos)
              + "), stop grace ("
              + millis(graceNanos)
              + ") and margin ("
              + millis(marginNanos)
              + ") must fit into it");
    }
  }

  /** In seconds, since some durations exceed a long of milliseconds. */
  private static String text(Duration duration) {
    boolean inSeconds = duration.equals(Duration.ofSeconds(duration.toSeconds()));
    return inSeconds || duration.compareTo(LONGEST_COUNTED) > 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }

  private static String millis(long nanos) {
    return nanos / MILLI + " ms";
  }

  /**
   * Until when a holder may trust the answer to an attempt that was sent at this time. The margin
   * grows with the remaining time, because clocks drift apart for that long, and it exceeds the ttl
   * while a key is kept for a least time.
   */
  long trustUntil(long sentNanos, long remainingMillis) {
    long remaining = remainingMillis * MILLI;
    return sentNanos + remaining - Math.max(marginNanos, remaining / MARGINS_PER_TTL);
  }

  /** How long a renewal may stay unanswered before it is tried again. */
  long timeoutNanos() {
    return Math.min(LONGEST_TIMEOUT, ttlNanos / ATTEMPTS_PER_TTL);
  }

  /** The longest pause after this number of failed attempts; jitter makes it shorter. */
  long backoffNanos(int failures) {
    long first = Math.min(FIRST_BACKOFF, ttlNanos / MARGINS_PER_TTL);
    long longest = Math.min(LONGEST_BACKOFF, ttlNanos / ATTEMPTS_PER_TTL);
    return Math.min(longest, first << Math.min(failures, 10));
  }
}
