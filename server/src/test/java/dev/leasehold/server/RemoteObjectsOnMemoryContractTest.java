package dev.leasehold.server;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.objects.ObjectStoreContract;
import dev.leasehold.testkit.objects.ObjectsUnderTest;
import dev.leasehold.testkit.time.ManualClock;

/** The contract of objects through two servers on one store in memory. */
class RemoteObjectsOnMemoryContractTest extends ObjectStoreContract {
  @Override
  protected ObjectsUnderTest open(long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    MemoryStore store = new MemoryStore(clock, Limits.SINGLE_NODE);
    return new RemoteUnderTest(new ClockedStore(store.leases(), clock), store, store).withObjects();
  }
}
