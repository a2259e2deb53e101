package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.time.ManualClock;

class MemoryLeaseStoreContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    return new ClockedStore(new MemoryLeaseStore(clock, Limits.SINGLE_NODE), clock);
  }
}
