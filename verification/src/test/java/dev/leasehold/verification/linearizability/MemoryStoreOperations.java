package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;

/** The memory store under test. */
public final class MemoryStoreOperations extends StoreOperations {
  private final LeaseStore store = new MemoryLeaseStore(Operands.CLOCK, Limits.SINGLE_NODE);

  @Override
  protected Outcome apply(Command command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Override
  protected Optional<LeaseRecord> look(int key) {
    return store
        .read(Operands.KEYS.get(key))
        .toCompletableFuture()
        .join()
        .map(LeaseReading::record);
  }
}
