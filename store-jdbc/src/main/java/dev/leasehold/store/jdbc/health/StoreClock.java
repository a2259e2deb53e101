package dev.leasehold.store.jdbc.health;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.status.ClockSteps;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares the store's clock with this process's ticker. Each answer shows their difference, to
 * within the time between request and answer. If the new range is outside the known one by more
 * than a bound, the store's clock has stepped: grants then end too early or too late, and operators
 * must know. No decision depends on this.
 *
 * <p>Clocks that drift or are slewed are not reported: the known range widens with time.
 */
public final class StoreClock implements Poll.Query {
  private static final System.Logger LOG = System.getLogger(StoreClock.class.getName());

  /** A smaller step cannot be told from a slow answer or a clock that is being corrected. */
  static final long BOUND_NANOS = Duration.ofMillis(500).toNanos();

  /** Clocks may drift apart by this part of the elapsed time: twice the fastest slew. */
  static final int DRIFT_PART = 500;

  private static final long MILLI = 1_000_000;

  private final Ticker ticker;
  private final Consumer<String> log;
  private Optional<Known> known = Optional.empty();
  private long count;
  private long lastMillis;
  private long lastNanos;

  public StoreClock(Ticker ticker) {
    this(ticker, sentence -> LOG.log(Level.WARNING, sentence));
  }

  public StoreClock(Ticker ticker, Consumer<String> log) {
    this.ticker = ticker;
    this.log = log;
  }

  /** The range of the difference between the store's clock and the ticker, as known at a time. */
  private record Known(long lowNanos, long highNanos, long atNanos) {
    static Known of(long sentNanos, long receivedNanos, long storeMillis) {
      long low = storeMillis * MILLI - receivedNanos;
      // The store's clock may be at the end of the millisecond that it shows.
      return new Known(low, storeMillis * MILLI + MILLI - sentNanos, receivedNanos);
    }

    Known at(long nowNanos) {
      long drift = Math.max(0, nowNanos - atNanos) / DRIFT_PART;
      return new Known(lowNanos - drift, highNanos + drift, nowNanos);
    }

    /**
     * How far the next range is outside this one: positive if ahead, negative if behind, 0 if they
     * overlap.
     */
    long gapTo(Known next) {
      if (next.lowNanos - highNanos > 0) {
        return next.lowNanos - highNanos;
      }
      return Math.min(0, next.highNanos - lowNanos);
    }

    Known and(Known next) {
      return gapTo(next) != 0
          ? next
          : new Known(
              Math.max(lowNanos, next.lowNanos), Math.min(highNanos, next.highNanos), next.atNanos);
    }
  }

  @Override
  public String statement() {
    return "clock";
  }

  @Override
  public void answered(ResultSet rows, Poll.Times times) throws SQLException {
    if (rows.next()) {
      saw(times.sentNanos(), times.receivedNanos(), rows.getLong(1));
    }
  }

  /** The store's clock showed this time at some moment between sending and receiving. */
  void saw(long sentNanos, long receivedNanos, long storeMillis) {
    add(Known.of(sentNanos, receivedNanos, storeMillis)).ifPresent(log);
  }

  private synchronized Optional<String> add(Known seen) {
    if (known.isEmpty()) {
      known = Optional.of(seen);
      return Optional.empty();
    }
    Known before = known.get().at(seen.atNanos());
    long gap = before.gapTo(seen);
    known = Optional.of(before.and(seen));
    if (Math.abs(gap) <= BOUND_NANOS) {
      return Optional.empty();
    }
    count++;
    lastMillis = gap / MILLI;
    lastNanos = seen.atNanos();
    return Optional.of(sentence(lastMillis));
  }

  private static String sentence(long millis) {
    return millis > 0
        ? "the store's clock stepped forward by "
            + millis
            + " ms against this process's: it was set, or this machine was suspended. Grants have"
            + " ended early by that, and others may hold their keys; see leasehold doctor"
        : "the store's clock stepped back by "
            + -millis
            + " ms against this process's: it was set, or this machine's was set forward. Grants"
            + " that are not given back last longer by that; see leasehold doctor";
  }

  public synchronized ClockSteps steps() {
    if (count == 0) {
      return new ClockSteps(0, Optional.empty());
    }
    Duration ago = Duration.ofNanos(Math.max(0, ticker.nanos() - lastNanos));
    return new ClockSteps(count, Optional.of(new ClockSteps.Step(lastMillis, ago)));
  }
}
