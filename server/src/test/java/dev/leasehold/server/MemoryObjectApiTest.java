package dev.leasehold.server;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.time.InstantSource;

class MemoryObjectApiTest extends ObjectApiContract {
  private final MemoryLeaseStore store =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final ObjectStore objects = new MemoryObjectStore(store);

  @Override
  LeaseholdServer start() {
    return LeaseholdServer.on(store).objects(objects).start();
  }

  @Override
  ObjectStore objects() {
    return objects;
  }
}
