package dev.leasehold.store.jdbc.batches;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Waits before a transaction is run again: 15 ms doubled each time, full jitter, capped. */
public final class Backoff {
  public static final int MAX_RESTARTS = 12;
  private static final long FIRST_NANOS = Duration.ofMillis(15).toNanos();
  private static final int DOUBLINGS = 5;

  private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
  private final LongAdder restarts = new LongAdder();

  /** How many transactions were run again since the store was opened. */
  public long restarts() {
    return restarts.sum();
  }

  /** The first restart comes at once: the transaction that was in the way has committed. */
  public void beforeRestart(int number) {
    restarts.increment();
    if (number > 0) {
      LockSupport.parkNanos(upTo(FIRST_NANOS << Math.min(number - 1, DOUBLINGS)));
    }
  }

  private synchronized long upTo(long nanos) {
    return random.nextLong(nanos);
  }
}
