package dev.leasehold.server;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.blocks.objects.spi.ObjectStore;

class MemoryObjectApiTest extends ObjectApiContract {
  private final MemoryStore store = MemoryStore.open();

  @Override
  LeaseholdServer start() {
    return LeaseholdServer.on(store).start();
  }

  @Override
  ObjectStore objects() {
    return store.objects();
  }
}
