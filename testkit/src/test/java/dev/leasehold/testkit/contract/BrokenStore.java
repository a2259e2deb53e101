package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that is right in all but what a test makes wrong. */
abstract class BrokenStore implements LeaseStore {
  private final LeaseStore sound;

  BrokenStore(InstantSource clock) {
    this.sound = new MemoryLeaseStore(clock, Limits.SINGLE_NODE);
  }

  /** Where the fault is planted. */
  abstract Outcome carryOut(Command command);

  final Outcome soundly(Command command) {
    return sound.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    return CompletableFuture.completedFuture(batch.stream().map(this::carryOut).toList());
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return sound.read(key);
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    return sound.list(query);
  }

  @Override
  public Subscription watch(String prefix, ChangeListener listener) {
    return sound.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return sound.purge(query);
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return sound.advance(advance);
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return sound.suspectedRollbacks();
  }

  @Override
  public Limits limits() {
    return sound.limits();
  }

  @Override
  public void close() {
    sound.close();
  }
}
