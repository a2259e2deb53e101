package dev.leasehold.kernel;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs events one at a time, on whichever thread brings one while none is running: one caller alone
 * pays for no hand-over to another thread. Events do not block, so nobody runs another's for long.
 */
final class SerialTurns implements Executor {
  private static final System.Logger LOG = System.getLogger(SerialTurns.class.getName());

  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

  /** Events not run yet. Whoever makes it 1 runs them until it is 0 again. */
  private final AtomicInteger pending = new AtomicInteger();

  @Override
  public void execute(Runnable event) {
    events.add(event);
    if (pending.getAndIncrement() == 0) {
      do {
        run(events.remove());
      } while (pending.decrementAndGet() > 0);
    }
  }

  /** An event that fails is a defect of ours; it must not take the keeper with it. */
  private static void run(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException | AssertionError e) {
      LOG.log(Level.ERROR, "an event failed; leases go on being kept", e);
    }
  }
}
