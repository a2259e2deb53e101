package dev.leasehold.kernel.wires;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs events one at a time, on the thread that submits one while none is running, so that a single
 * caller needs no other thread. Events do not block, and a caller runs only a bounded number of
 * others' events; another thread runs the rest.
 */
public final class SerialTurns implements Executor {
  /** How many events a caller runs before another thread continues. */
  static final int LONGEST_STINT = 1_000;

  private static final System.Logger LOG = System.getLogger(SerialTurns.class.getName());

  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

  /**
   * Events not run yet. The thread that raises this from 0 to 1 runs events until it is 0 again, or
   * passes that duty on.
   */
  private final AtomicInteger pending = new AtomicInteger();

  private final Executor relief;

  /**
   * @param relief runs the rest when a caller has run enough events; it must not use the same
   *     thread
   */
  public SerialTurns(Executor relief) {
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
   * An event that fails is a defect of this library, and must not stop the events after it. The
   * same is true of an error: events run on their callers' stacks, which may overflow.
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
      LOG.log(Level.ERROR, "an event failed; leases are still renewed", failure);
    } catch (Throwable again) {
      failure.addSuppressed(again);
    }
  }
}
