package dev.leasehold.server;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Store;

class MemoryLeaseApiTest extends LeaseApiContract {
  @Override
  Store store() {
    return MemoryStore.open();
  }
}
