package dev.leasehold.store.jdbc.effects;

import dev.leasehold.kernel.spi.Ticker;
import java.sql.SQLTimeoutException;
import java.time.Duration;

/** The time by which a change must be committed: as long as the holder may trust its lease. */
record EffectDeadline(Ticker ticker, long atNanos) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  static EffectDeadline in(Ticker ticker, Duration left) {
    return new EffectDeadline(ticker, ticker.nanos() + left.toNanos());
  }

  /** The earlier of this deadline and this time from now. */
  EffectDeadline atMost(long millis) {
    long other = ticker.nanos() + millis * NANOS_PER_MILLI;
    return new EffectDeadline(ticker, Math.min(atNanos - other, 0) + other);
  }

  boolean isOver() {
    return ticker.nanos() - atNanos >= 0;
  }

  /** At least one, because a server reads zero as no limit. */
  long leftMillis() {
    return Math.max(1, (atNanos - ticker.nanos()) / NANOS_PER_MILLI);
  }

  void require() throws SQLTimeoutException {
    if (isOver()) {
      throw new SQLTimeoutException(
          "the change took longer than its lease could be trusted, and was rolled back: make it"
              + " smaller, or give the lease a longer ttl");
    }
  }
}
