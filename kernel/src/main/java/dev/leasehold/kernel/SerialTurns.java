package dev.leasehold.kernel;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs events one at a time, on whichever thread brings one while none is running: one caller alone
 * pays for no hand-over to another thread. Events do not block, and nobody runs more than a bounded
 * number of others' events: the rest goes on elsewhere.
 */
final class SerialTurns implements Executor {
  /** So many events a caller runs before somebody else goes on with them. */
  static final int LONGEST_STINT = 1_000;

  private static final System.Logger LOG = System.getLogger(SerialTurns.class.getName());

  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

  /** Events not run yet. Whoever makes it 1 runs them until it is 0 again, or passes that on. */
  private final AtomicInteger pending = new AtomicInteger();

  private final Executor relief;

  /** Takes who goes on when a caller has run enough; it must not run them on the same thread. */
  SerialTurns(Executor relief) {
    this.relief = relief;
  }

  @Override
  public void execute(Runnable event) {
    events.add(event);
    if (pending.getAndIncrement() == 0) {
      runPending();
    }
  }

  private void runPending() {
    for (int stint = 0; stint < LONGEST_STINT; stint++) {
      run(events.remove());
      if (pending.decrementAndGet() == 0) {
        return;
      }
    }
    relief.execute(this::runPending);
  }

  /**
   * An event that fails is a defect of ours; it must not take the keeper with it. Nor must an
   * error: events run on their callers' stacks, and one may be short of it.
   */
  private static void run(Runnable event) {
    try {
      event.run();
    } catch (Throwable e) {
      report(e);
    }
  }

  private static void report(Throwable failure) {
    try {
      LOG.log(Level.ERROR, "an event failed; leases go on being kept", failure);
    } catch (Throwable again) {
      failure.addSuppressed(again);
    }
  }
}
