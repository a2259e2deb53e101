package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.micro.BatchCounter;
import dev.leasehold.benchmarks.rivals.Locks;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.spi.LeaseStore;
import java.time.Duration;

/** Leasehold, as one process uses it. */
final class LeaseLocks implements Locks {
  static final Duration TTL = Duration.ofSeconds(30);

  private final BatchCounter store;
  private final Leases leases;
  private final Duration wait;

  /** The store is closed with it. With no time to wait, a key that is held is a failure. */
  LeaseLocks(LeaseStore store, Duration wait) {
    this.store = new BatchCounter(store);
    this.leases = Leases.on(this.store).holder("benchmark").open();
    this.wait = wait;
  }

  @Override
  public void whileHeld(String key, Runnable work) throws InterruptedException {
    LeaseRequest request = LeaseRequest.of(key).ttl(TTL);
    switch (leases.acquire(request, wait)) {
      case Acquisition.Acquired acquired -> {
        work.run();
        if (!(acquired.lease().release() instanceof Release.Released)) {
          throw new IllegalStateException("not released: " + key);
        }
      }
      case Acquisition other -> throw new IllegalStateException("not acquired: " + other);
    }
  }

  double commandsPerBatch() {
    return store.commandsPerBatch();
  }

  @Override
  public void close() {
    leases.close();
    store.close();
  }
}
