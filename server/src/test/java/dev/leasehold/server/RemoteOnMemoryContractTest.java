package dev.leasehold.server;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/** The contract through a server on a memory store. */
class RemoteOnMemoryContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    return new RemoteUnderTest(
        ClockedStore.of(startMillis, clock -> new MemoryLeaseStore(clock, Limits.SINGLE_NODE)));
  }
}
