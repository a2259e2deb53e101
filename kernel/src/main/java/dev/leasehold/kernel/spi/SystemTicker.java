package dev.leasehold.kernel.spi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The one place that reads the process's clocks. {@link System#nanoTime()} stands still while the
 * machine sleeps, on Linux at least, and a holder that sleeps through its ttl must not wake up
 * trusting. So each reading also looks at the wall clock: when that has moved by more than the
 * other, the time since boot, which counts sleep, says whether the machine slept, and then the
 * ticker jumps forward by as much. If only the wall clock was set, nothing happens.
 *
 * <p>Where the time since boot cannot be read, a wall clock that runs ahead counts as sleep: then
 * trust is lost too early rather than too late. The wall clock decides nothing else, and no jump
 * leads back. A sleep is missed only while the wall clock was set back by just as much.
 */
final class SystemTicker implements Ticker {
  static final SystemTicker INSTANCE =
      new SystemTicker(
          System::nanoTime, System::currentTimeMillis, () -> uptimeNanos(Path.of("/proc/uptime")));

  /** The wall clock may be slewed, and is read a moment after the other. */
  static final long TOLERANCE_NANOS = Duration.ofMillis(100).toNanos();

  /** The time since boot comes in hundredths of a second. */
  private static final long GRAIN_NANOS = Duration.ofMillis(20).toNanos();

  private static final long MILLI = 1_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier monotonicNanos;
  private final LongSupplier wallMillis;
  private final Supplier<OptionalLong> bootNanos;

  /** Read without a lock; replaced under the monitor of this ticker, which is seldom. */
  private volatile Base base;

  /**
   * What later readings are compared with.
   *
   * @param sleptNanos how long the machine has slept since the process started
   */
  private record Base(long nanos, long wallMillis, OptionalLong bootNanos, long sleptNanos) {
    /** How far the wall clock has run ahead since, or fallen behind. */
    long drift(long nowNanos, long nowMillis) {
      return (nowMillis - wallMillis) * MILLI - (nowNanos - nanos);
    }

    /** How long the machine slept between this and the next, as far as can be known. */
    long sleepUntil(Base next) {
      if (bootNanos.isEmpty() || next.bootNanos.isEmpty()) {
        return Math.max(0, drift(next.nanos, next.wallMillis));
      }
      long sleep = next.bootNanos.getAsLong() - bootNanos.getAsLong() - (next.nanos - nanos);
      return sleep > GRAIN_NANOS ? sleep : 0;
    }

    Base slept(long moreNanos) {
      return new Base(nanos, wallMillis, bootNanos, sleptNanos + moreNanos);
    }
  }

  SystemTicker(
      LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> bootNanos) {
    this.monotonicNanos = monotonicNanos;
    this.wallMillis = wallMillis;
    this.bootNanos = bootNanos;
    this.base = look(0);
  }

  @Override
  public long nanos() {
    Base from = base;
    long nowNanos = monotonicNanos.getAsLong();
    long drift = from.drift(nowNanos, wallMillis.getAsLong());
    return Math.abs(drift) <= TOLERANCE_NANOS
        ? nowNanos + from.sleptNanos()
        : nanosAfterRebase(from);
  }

  /** Looks again, unless another thread has just done it. */
  private synchronized long nanosAfterRebase(Base from) {
    if (base.equals(from)) {
      Base next = look(from.sleptNanos());
      base = next.slept(from.sleepUntil(next));
    }
    return monotonicNanos.getAsLong() + base.sleptNanos();
  }

  /**
   * The wall clock first: sleep from there on makes the next reading look again. The monotonic one
   * last: what passes while this thread looks is not taken for sleep.
   */
  private Base look(long sleptNanos) {
    long wall = wallMillis.getAsLong();
    OptionalLong boot = bootNanos.get();
    return new Base(monotonicNanos.getAsLong(), wall, boot, sleptNanos);
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
