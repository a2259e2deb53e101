package dev.leasehold.kernel.spi;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The one place that reads the process's clocks. {@link System#nanoTime()} stops while the machine
 * sleeps, on Linux at least, and a holder that slept through its ttl must not trust its lease when
 * it wakes. So each reading also looks at the wall clock. If that has advanced further than the
 * monotonic clock, the ticker jumps forward by the difference, or by the sleep that the time since
 * boot shows, whichever is more.
 *
 * <p>A wall clock that runs ahead counts even where the time since boot says that the machine was
 * awake: while a virtual machine is suspended, its monotonic clock and its time since boot stop
 * together, and only the wall clock shows it, once it is corrected. An administrator or NTP that
 * steps the wall clock forward looks the same from inside. Then trust ends too early rather than
 * too late: a lease with more trust left than the step is renewed sooner, another is lost. A wall
 * clock that is set back changes nothing, and no jump leads back. A sleep is missed only while the
 * wall clock was set back by just as much and the time since boot does not show it either.
 */
final class SystemTicker implements Ticker {
  private static final System.Logger LOG = System.getLogger(SystemTicker.class.getName());

  static final SystemTicker INSTANCE = ofTheMachine(Path.of("/proc/uptime"));

  /**
   * Smaller differences are ignored: the wall clock may be slewed, and the two clocks are not read
   * at the same moment.
   */
  static final long TOLERANCE_NANOS = Duration.ofMillis(100).toNanos();

  /** The time since boot has a resolution of a hundredth of a second. */
  private static final long GRAIN_NANOS = Duration.ofMillis(20).toNanos();

  /** Only longer jumps are logged above DEBUG, since a slewed clock causes many short ones. */
  private static final long TOLD_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long MILLI = 1_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Clocks clocks;
  private final Consumer<Jump> jumps;

  /** Read without a lock; replaced, rarely, under the monitor of this ticker. */
  private volatile Base base;

  /** The clocks that it reads. The time since boot includes sleep, and not every system has it. */
  record Clocks(
      LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> bootNanos) {}

  /**
   * Elapsed time that the monotonic clock missed.
   *
   * @param nanos how far the ticker jumps
   * @param sleptNanos how much of it the time since boot shows
   */
  record Jump(long nanos, long sleptNanos) {
    String sentence() {
      return "time jumped forward by "
          + Duration.ofNanos(nanos)
          + " against the monotonic clock, "
          + Duration.ofNanos(sleptNanos)
          + " of it by the time since boot: the machine slept, a virtual machine was suspended, or"
          + " the wall clock was set. It counts as passed, so leases are renewed sooner, and those"
          + " with less trust left are lost";
    }
  }

  /**
   * The reading that later ones are compared with.
   *
   * @param sleptNanos how far the ticker has jumped since the process started
   */
  private record Base(long nanos, long wallMillis, OptionalLong bootNanos, long sleptNanos) {
    /** How far the wall clock has run ahead of the monotonic one since then, or fallen behind. */
    long drift(long nowNanos, long nowMillis) {
      return (nowMillis - wallMillis) * MILLI - (nowNanos - nanos);
    }

    /**
     * The time from this reading to the next that the monotonic clock missed, as far as the others
     * show it.
     */
    Jump jumpTo(Base next) {
      long slept = sleepUntil(next);
      return new Jump(Math.max(slept, drift(next.nanos, next.wallMillis)), slept);
    }

    private long sleepUntil(Base next) {
      if (bootNanos.isEmpty() || next.bootNanos.isEmpty()) {
        return 0;
      }
      long sleep = next.bootNanos.getAsLong() - bootNanos.getAsLong() - (next.nanos - nanos);
      return sleep > GRAIN_NANOS ? sleep : 0;
    }

    Base slept(long moreNanos) {
      return new Base(nanos, wallMillis, bootNanos, sleptNanos + moreNanos);
    }
  }

  SystemTicker(Clocks clocks, Consumer<Jump> jumps) {
    this.clocks = clocks;
    this.jumps = jumps;
    this.base = look(0);
  }

  /**
   * The time since boot is read once before it counts. The first reading loads classes, between the
   * wall clock and the monotonic one: on a busy machine each process would begin with a jump.
   */
  private static SystemTicker ofTheMachine(Path uptime) {
    OptionalLong unused = uptimeNanos(uptime);
    return new SystemTicker(
        new Clocks(System::nanoTime, System::currentTimeMillis, () -> uptimeNanos(uptime)),
        SystemTicker::log);
  }

  private static void log(Jump jump) {
    LOG.log(jump.nanos() < TOLD_NANOS ? Level.DEBUG : Level.WARNING, jump.sentence());
  }

  @Override
  public long nanos() {
    Base from = base;
    long nowNanos = clocks.monotonicNanos().getAsLong();
    long drift = from.drift(nowNanos, clocks.wallMillis().getAsLong());
    return Math.abs(drift) <= TOLERANCE_NANOS
        ? nowNanos + from.sleptNanos()
        : nanosAfterRebase(from);
  }

  private long nanosAfterRebase(Base from) {
    rebase(from).ifPresent(jumps);
    return clocks.monotonicNanos().getAsLong() + base.sleptNanos();
  }

  /** Takes a new base, unless another thread has just done so. */
  private synchronized Optional<Jump> rebase(Base from) {
    if (!base.equals(from)) {
      return Optional.empty();
    }
    Base next = look(from.sleptNanos());
    Jump jump = from.jumpTo(next);
    base = next.slept(Math.max(0, jump.nanos()));
    return jump.nanos() > 0 ? Optional.of(jump) : Optional.empty();
  }

  /**
   * The wall clock is read first, so that a sleep after it is found by the next reading. The
   * monotonic clock is read last, so that the time that this method takes is not taken for sleep.
   */
  private Base look(long sleptNanos) {
    long wall = clocks.wallMillis().getAsLong();
    OptionalLong boot = clocks.bootNanos().get();
    return new Base(clocks.monotonicNanos().getAsLong(), wall, boot, sleptNanos);
  }

  /** Seconds since boot, with two digits after the point, are the first word of the file. */
  static OptionalLong uptimeNanos(Path file) {
    try {
      String text = Files.readString(file);
      double seconds = Double.parseDouble(text.substring(0, text.indexOf(' ')));
      return OptionalLong.of((long) (seconds * NANOS_PER_SECOND));
    } catch (IOException | RuntimeException e) {
      // Not every system has this file; the wall clock alone decides then.
      return OptionalLong.empty();
    }
  }
}
