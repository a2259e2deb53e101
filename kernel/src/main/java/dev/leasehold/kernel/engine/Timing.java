package dev.leasehold.kernel.engine;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;

/**
 * How one lease is kept: when it is renewed, how much earlier than the store its holder stops
 * believing, and how long before that its work is told to stop.
 *
 * @param atMostNanos so long it is held at most, although it could be renewed
 */
public record Timing(
    long ttlNanos, long renewEveryNanos, long marginNanos, long graceNanos, long atMostNanos) {
  /** As long as it can be renewed: a hundred years, which can be added to every ticker. */
  public static final long WITHOUT_END = Duration.ofDays(36_500).toNanos();

  private static final long MILLI = 1_000_000;
  private static final long LONGEST_PATIENCE = Duration.ofSeconds(5).toNanos();
  private static final long FIRST_BACKOFF = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_BACKOFF = Duration.ofSeconds(10).toNanos();

  /** What a store is spared; a third of the shortest ttl is longer. */
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(50);

  private static final Duration LONGEST_COUNTED = Duration.ofMillis(Long.MAX_VALUE);
  private static final int MARGINS_PER_TTL = 10;
  private static final int RENEWALS_PER_TTL = 3;
  private static final int ATTEMPTS_PER_TTL = 6;

  /** The usual: renewed at a third, a margin of a tenth or the store's skew, this much grace. */
  public static Timing of(Duration ttl, Duration grace, Limits limits) {
    return of(ttl, ttl.dividedBy(RENEWALS_PER_TTL), grace, limits);
  }

  /** Renewed as often as somebody chose. */
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

  /** Ends after this time, whatever the store would say. */
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

  /** Before anything is computed: some durations are too long for a number of nanoseconds. */
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

  /** Told before anything is sent: a lease that must be given up before it is renewed is none. */
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

  /** As long as it may be: some do not fit a number of milliseconds. */
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
   * Until when a holder may believe, by an answer to an attempt that was sent then. Clocks drift
   * apart for as long as remains, which is more than the ttl while a key is kept at least so long.
   */
  long trustUntil(long sentNanos, long remainingMillis) {
    long remaining = remainingMillis * MILLI;
    return sentNanos + remaining - Math.max(marginNanos, remaining / MARGINS_PER_TTL);
  }

  /** How long one renewal may stay unanswered before it is tried again. */
  long patienceNanos() {
    return Math.min(LONGEST_PATIENCE, ttlNanos / ATTEMPTS_PER_TTL);
  }

  /**
   * The longest wait before the next attempt after so many failed ones; jitter makes it shorter.
   */
  long backoffNanos(int failures) {
    long first = Math.min(FIRST_BACKOFF, ttlNanos / MARGINS_PER_TTL);
    long longest = Math.min(LONGEST_BACKOFF, ttlNanos / ATTEMPTS_PER_TTL);
    return Math.min(longest, first << Math.min(failures, 10));
  }
}
