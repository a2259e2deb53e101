package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that is right in all but what a test makes wrong. */
abstract class BrokenStore extends ForwardingStore {
  BrokenStore(InstantSource clock) {
    super(new MemoryLeaseStore(clock, Limits.SINGLE_NODE));
  }

  /** Where the fault is planted. */
  abstract Outcome carryOut(Command command);

  final Outcome soundly(Command command) {
    return super.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    return CompletableFuture.completedFuture(batch.stream().map(this::carryOut).toList());
  }
}
