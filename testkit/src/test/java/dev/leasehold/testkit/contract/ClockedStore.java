package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.time.ManualClock;

/** A store in memory that was given a clock to hold still. */
public record ClockedStore(LeaseStore store, ManualClock clock) implements StoreUnderTest {
  @Override
  public void setClock(long epochMillis) {
    clock.set(epochMillis);
  }

  @Override
  public void close() {
    store.close();
  }
}
