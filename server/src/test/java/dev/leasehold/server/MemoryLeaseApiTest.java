package dev.leasehold.server;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.time.InstantSource;

class MemoryLeaseApiTest extends LeaseApiContract {
  @Override
  LeaseStore store() {
    return new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  }
}
