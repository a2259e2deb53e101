package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;

/** I1, I2, I3, I8 of the memory store, under many threads. */
class MemoryConcurrentExclusionTest extends ConcurrentExclusionContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    return Subject.of(startMillis, clock -> new MemoryLeaseStore(clock, Limits.SINGLE_NODE));
  }
}
