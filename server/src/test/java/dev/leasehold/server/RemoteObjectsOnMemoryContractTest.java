package dev.leasehold.server;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import dev.leasehold.testkit.objects.ObjectStoreContract;
import dev.leasehold.testkit.objects.ObjectsUnderTest;

/** The contract of objects through two servers on one store in memory. */
class RemoteObjectsOnMemoryContractTest extends ObjectStoreContract {
  @Override
  protected ObjectsUnderTest open(long startMillis) {
    StoreUnderTest behind =
        ClockedStore.of(startMillis, clock -> new MemoryLeaseStore(clock, Limits.SINGLE_NODE));
    ObjectStore objects = new MemoryObjectStore((MemoryLeaseStore) behind.store());
    return new RemoteUnderTest(behind, builder -> builder.objects(objects)).withObjects();
  }
}
