package dev.leasehold.verification.publication;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.kernel.spi.TickerAccess;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** I6: two threads ask for the time after the machine has slept for a second. */
public final class TickerRaces {
  private static final long SLEPT_MILLIS = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private TickerRaces() {}

  /** The time that each of them was told. */
  @Outcome(id = "1000000000, 1000000000", expect = ACCEPTABLE, desc = "both know of the sleep")
  @Outcome(expect = FORBIDDEN, desc = "a sleep was missed, or counted twice")
  public static final class SleepCountsOnce {
    private SleepCountsOnce() {}
  }

  /** The ticker. */
  @JCStressTest
  @JCStressMeta(SleepCountsOnce.class)
  @State
  public static class Sleep {
    private long wallMillis;
    private final Ticker ticker = TickerAccess.over(() -> 0, () -> wallMillis);

    public Sleep() {
      wallMillis = SLEPT_MILLIS;
    }

    @Actor
    public void one(JJ_Result seen) {
      seen.r1 = ticker.nanos();
    }

    @Actor
    public void other(JJ_Result seen) {
      seen.r2 = ticker.nanos();
    }
  }

  /** Checks whether the machine slept, and counts the sleep a moment later. */
  @JCStressTest
  @JCStressMeta(SleepCountsOnce.class)
  @State
  public static class CanaryEachCountsTheSleep {
    private volatile long seenMillis;
    private volatile long sleptNanos;

    @Actor
    public void one(JJ_Result seen) {
      seen.r1 = nanos();
    }

    @Actor
    public void other(JJ_Result seen) {
      seen.r2 = nanos();
    }

    private long nanos() {
      long drift = SLEPT_MILLIS - seenMillis;
      if (drift > 0) {
        seenMillis = SLEPT_MILLIS;
        long before = sleptNanos;
        sleptNanos = before + drift * NANOS_PER_MILLI;
      }
      return sleptNanos;
    }
  }
}
