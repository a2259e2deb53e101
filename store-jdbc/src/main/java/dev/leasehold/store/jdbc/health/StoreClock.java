package dev.leasehold.store.jdbc.health;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.status.ClockSteps;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Watches the store's clock beside this process's ticker. An answer that was asked for at one
 * moment and had at another shows how far the two are apart, to within the time between. If that
 * leaves what was known by more than a bound, the store's clock has stepped: grants then end too
 * early or too late, and operators have to know. Nothing is decided by it.
 *
 * <p>Clocks that drift or are slewed do not step: what is known widens with time, and follows.
 */
public final class StoreClock {
  private static final System.Logger LOG = System.getLogger(StoreClock.class.getName());

  /** Less than this is not told from a slow answer or a clock that is being corrected. */
  static final long BOUND_NANOS = Duration.ofMillis(500).toNanos();

  /**
   * Of elapsed time, how far clocks may come apart meanwhile: twice what the fastest slew makes.
   */
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

  /** The store's clock less the ticker lies between these, as was known at a moment. */
  private record Known(long lowNanos, long highNanos, long atNanos) {
    static Known of(long sentNanos, long receivedNanos, long storeMillis) {
      long low = storeMillis * MILLI - receivedNanos;
      // A clock that shows a millisecond may be at its end.
      return new Known(low, storeMillis * MILLI + MILLI - sentNanos, receivedNanos);
    }

    Known at(long nowNanos) {
      long drift = Math.max(0, nowNanos - atNanos) / DRIFT_PART;
      return new Known(lowNanos - drift, highNanos + drift, nowNanos);
    }

    /** How far the next is beyond this: positive ahead, negative behind, 0 where they meet. */
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

  /** Asks the store what its clock shows. */
  public void look(Session session) throws SQLException {
    long sent = ticker.nanos();
    long millis = session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
    saw(sent, ticker.nanos(), millis);
  }

  /** Its clock has shown this at some moment between the two. */
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
