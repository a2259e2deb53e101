package dev.leasehold.benchmarks.micro;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.testkit.time.Cancellable;
import dev.leasehold.testkit.time.ManualScheduler;
import dev.leasehold.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that holds many leases of 30 s, renewed every 10 s, on a store that answers at once.
 * Its time is virtual; the benchmark measures the processor time of one virtual second.
 */
final class HeldLeases {
  private static final Duration TTL = Duration.ofSeconds(30);

  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * The renewal interval. The leases are acquired evenly over that time, so that renewals are
   * spread evenly.
   */
  private static final int SECONDS_TO_TAKE = 10;

  private final ManualTicker ticker = new ManualTicker();
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final List<Lease> held;
  private final Leases leases =
      Leases.on(new PromptStore(TTL.toMillis()))
          .holder("worker-1")
          .ticker(ticker)
          .scheduler(this::schedule)
          .open();

  HeldLeases(int count) {
    held = new ArrayList<>(count);
  }

  private Scheduler.Timer schedule(Runnable task, long delayNanos) {
    Cancellable scheduled = scheduler.schedule(task, Duration.ofNanos(delayNanos));
    return scheduled::cancel;
  }

  /** Acquires them, each with its own key, and runs the first renewals. */
  void take(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      held.add(take(new LeaseKey("lock/item-" + (1_000_000 + i))));
      if (i % Math.max(1, count / SECONDS_TO_TAKE) == 0) {
        passSecond();
      }
    }
    for (int i = 0; i < 2 * SECONDS_TO_TAKE; i++) {
      passSecond();
    }
  }

  private Lease take(LeaseKey key) throws InterruptedException {
    return switch (leases.tryAcquire(LeaseRequest.of(key).ttl(TTL))) {
      case Acquisition.Acquired acquired -> acquired.lease();
      case Acquisition other -> throw new IllegalStateException("not acquired: " + other);
    };
  }

  void bindAll(Thread thread) {
    held.forEach(lease -> lease.bind(thread));
  }

  void passSecond() {
    scheduler.advance(SECOND);
  }

  /** An expired lease would make the measured cost too low. */
  void requireAllHeld() {
    held.forEach(Lease::ensureHeld);
  }
}
