package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The shutdown of a process's leases. They are still renewed while their work winds down. The work
 * is told to stop, interrupted after its grace, and no longer waited for after the same time again.
 * No lease expires meanwhile, so even work without a grace gets a moment for both.
 */
final class Shutdown {
  /**
   * How long to wait for a store that does not confirm the releases; after that the grants expire
   * by themselves.
   */
  private static final long LONGEST_CONFIRMATION_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long SHORTEST_GRACE_NANOS = Duration.ofSeconds(1).toNanos();

  private final Environment environment;
  private final Delivery delivery;
  private final Keeper keeper;
  private final List<Runnable> done = new ArrayList<>();
  private final Set<HeldLease> open = new LinkedHashSet<>();
  private boolean awaitingConfirmations;
  private boolean over;

  Shutdown(Environment environment, Delivery delivery, Keeper keeper) {
    this.environment = environment;
    this.delivery = delivery;
    this.keeper = keeper;
  }

  void whenDone(Runnable task) {
    if (over) {
      task.run();
    } else {
      done.add(task);
    }
  }

  void begin() {
    List<HeldLease> held = keeper.all();
    open.addAll(held);
    for (HeldLease lease : held) {
      long grace = Math.max(SHORTEST_GRACE_NANOS, lease.timing().graceNanos());
      environment.after(grace, () -> stop(lease));
      environment.after(2 * grace, () -> closed(lease));
      lease.tellEnding();
    }
    delivery.afterEach(this::finishIfAllDone);
    finishIfAllDone();
  }

  private void stop(HeldLease lease) {
    if (open.contains(lease)) {
      keeper.forget(lease);
      lease.stop();
    }
  }

  /** The work of this lease has ended, or is no longer waited for. */
  void closed(HeldLease lease) {
    open.remove(lease);
    finishIfAllDone();
  }

  /**
   * Finishes when all work has ended or is no longer waited for, and the store has confirmed the
   * releases.
   */
  private void finishIfAllDone() {
    if (!open.isEmpty()) {
      return;
    }
    if (delivery.isIdle()) {
      finish();
    } else if (!awaitingConfirmations) {
      awaitingConfirmations = true;
      environment.after(LONGEST_CONFIRMATION_NANOS, this::finish);
    }
  }

  private void finish() {
    if (!over) {
      over = true;
      done.forEach(Runnable::run);
    }
  }
}
