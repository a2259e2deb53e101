package dev.leasehold.verification.simulation;

import dev.leasehold.kernel.spi.Ticker;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The clocks of one machine, and the system's ticker over them. The monotonic clock runs at nearly
 * the pace of time, from any start, and stops while the machine sleeps. The time since boot
 * continues then, unless the machine is a virtual one that its host suspends. The wall clock always
 * runs, and is stepped both ways.
 */
final class Machine {
  /** As Linux tells the time since boot: in hundredths of a second. */
  private static final long GRAIN = 10 * World.MILLI;

  private static final long WALL_START_MILLIS = 1_790_000_000_000L;

  private final LongSupplier now;
  private final double rate;
  private final long start;
  private final boolean tellsBootTime;
  private final Ticker ticker;
  private long wallOffsetMillis;
  private long sleptNanos;
  private long sleepsUntilNanos;
  private long frozenUntilNanos;

  /** The part of the sleep that is not in the time since boot. */
  private long frozenNanos;

  Machine(LongSupplier now, SplittableRandom random) {
    this.now = now;
    this.rate = 1 + (random.nextDouble() - 0.5) / 50;
    this.start =
        random.nextInt(3) == 0
            ? Long.MAX_VALUE - now.getAsLong() - random.nextLong(200 * World.SECOND)
            : random.nextLong();
    this.tellsBootTime = random.nextInt(4) > 0;
    this.ticker = Ticker.over(this::monotonicNanos, this::wallMillis, this::bootNanos);
  }

  /** The reading of its ticker. */
  long ticks() {
    return ticker.nanos();
  }

  /** The longest real time in which the monotonic clock advances by this much. */
  long lasting(long ticks) {
    return (long) Math.ceil(ticks / rate) + 1;
  }

  /** Sleeps from now on; a host that suspends a virtual machine stops its time since boot too. */
  void fallAsleep(long forNanos, boolean frozen) {
    long until = now.getAsLong() + forNanos;
    long more = Math.max(0, until - Math.max(now.getAsLong(), sleepsUntilNanos));
    sleptNanos += more;
    frozenNanos += frozen ? more : 0;
    frozenUntilNanos = frozen && more > 0 ? until : frozenUntilNanos;
    sleepsUntilNanos = Math.max(sleepsUntilNanos, until);
  }

  /**
   * The clock is not set back while the host suspends the machine, because then no clock would show
   * that time.
   */
  void stepWallClock(long byMillis) {
    if (byMillis > 0 || now.getAsLong() >= frozenUntilNanos) {
      wallOffsetMillis += byMillis;
    }
  }

  private long awakeNanos() {
    long asleepYet = Math.max(0, sleepsUntilNanos - now.getAsLong());
    return now.getAsLong() - (sleptNanos - asleepYet);
  }

  private long monotonicNanos() {
    return start + (long) (awakeNanos() * rate);
  }

  private long wallMillis() {
    return WALL_START_MILLIS + (long) (now.getAsLong() * rate) / World.MILLI + wallOffsetMillis;
  }

  private OptionalLong bootNanos() {
    long nanos = (long) ((now.getAsLong() - frozenNanos) * rate);
    return tellsBootTime ? OptionalLong.of(nanos / GRAIN * GRAIN) : OptionalLong.empty();
  }
}
