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
 * The one place that reads the process's clocks. {@link System#nanoTime()} stands still while the
 * machine sleeps, on Linux at least, and a holder that sleeps through its ttl must not wake up
 * trusting. So each reading also looks at the wall clock. When that has moved by more than the
 * monotonic one, the ticker jumps forward by as much, or by what the time since boot says the
 * machine slept, if that is more.
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

  static final SystemTicker INSTANCE =
      new SystemTicker(
          new Clocks(
              System::nanoTime,
              System::currentTimeMillis,
              () -> uptimeNanos(Path.of("/proc/uptime"))),
          SystemTicker::log);

  /** The wall clock may be slewed, and is read a moment after the other. */
  static final long TOLERANCE_NANOS = Duration.ofMillis(100).toNanos();

  /** The time since boot comes in hundredths of a second. */
  private static final long GRAIN_NANOS = Duration.ofMillis(20).toNanos();

  /** A clock that is slewed makes many shorter jumps, which are logged for debugging only. */
  private static final long TOLD_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long MILLI = 1_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Clocks clocks;
  private final Consumer<Jump> jumps;

  /** Read without a lock; replaced under the monitor of this ticker, which is seldom. */
  private volatile Base base;

  /** What it reads. The time since boot counts sleep, and is not to be had everywhere. */
  record Clocks(
      LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> bootNanos) {}

  /**
   * Time that the monotonic clock does not show.
   *
   * @param nanos how far the ticker jumps
   * @param sleptNanos how much of it the time since boot shows, too
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
   * What later readings are compared with.
   *
   * @param sleptNanos how far the ticker has jumped since the process started
   */
  private record Base(long nanos, long wallMillis, OptionalLong bootNanos, long sleptNanos) {
    /** How far the wall clock has run ahead since, or fallen behind. */
    long drift(long nowNanos, long nowMillis) {
      return (nowMillis - wallMillis) * MILLI - (nowNanos - nanos);
    }

    /** What passed between this and the next without the monotonic clock, as far as is known. */
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

  /** Looks again, unless another thread has just done it. */
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
   * The wall clock first: sleep from there on makes the next reading look again. The monotonic one
   * last: what passes while this thread looks is not taken for sleep.
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
      // Not every system has it; the ticker is careful without.
      return OptionalLong.empty();
    }
  }
}
