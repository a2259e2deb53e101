package dev.leasehold.kernel.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The end of a process's holdings. Leases go on being renewed while their work winds down; the work
 * is told to stop, after its grace it is interrupted, and after as long again nobody waits for it.
 */
final class Shutdown {
  private final Environment environment;
  private final Delivery delivery;
  private final Runnable done;
  private final Set<HeldLease> open = new LinkedHashSet<>();
  private boolean over;

  Shutdown(Environment environment, Delivery delivery, Runnable done) {
    this.environment = environment;
    this.delivery = delivery;
    this.done = done;
  }

  void begin(List<HeldLease> held) {
    open.addAll(held);
    for (HeldLease lease : held) {
      long grace = lease.timing().graceNanos();
      environment.after(grace, () -> stop(lease));
      environment.after(2 * grace, () -> closed(lease));
      lease.tellEnding();
    }
    delivery.afterEach(this::finishIfAllDone);
    finishIfAllDone();
  }

  private void stop(HeldLease lease) {
    if (open.contains(lease)) {
      lease.stop();
    }
  }

  /** Its work has ended, or is not waited for any longer. */
  void closed(HeldLease lease) {
    open.remove(lease);
    finishIfAllDone();
  }

  /** All work has ended or is not waited for, and the store knows what was given back. */
  private void finishIfAllDone() {
    if (!over && open.isEmpty() && delivery.isIdle()) {
      over = true;
      done.run();
    }
  }
}
