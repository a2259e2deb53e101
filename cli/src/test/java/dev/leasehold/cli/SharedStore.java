package dev.leasehold.cli;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * A store in memory that outlives the commands on it, whose clock stands still, and that notes what
 * it is sent. What happens between an outcome and its answer is the test's to say.
 */
final class SharedStore implements LeaseStore {
  final List<Command> sent = new ArrayList<>();
  BiFunction<Command, Outcome, Outcome> beforeAnswering = (command, outcome) -> outcome;

  private final LeaseStore memory =
      new MemoryLeaseStore(
          InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")), Limits.SINGLE_NODE);

  /** As another process would, unseen by the test's hook. */
  Outcome apply(Command command) {
    return memory.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<Outcome> answers = new ArrayList<>();
    for (Command command : batch) {
      sent.add(command);
      answers.add(beforeAnswering.apply(command, apply(command)));
    }
    return CompletableFuture.completedFuture(answers);
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(dev.leasehold.fence.LeaseKey key) {
    return memory.read(key);
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    return memory.list(query);
  }

  @Override
  public Subscription watch(String prefix, ChangeListener listener) {
    return memory.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return memory.purge(query);
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return memory.advance(advance);
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return memory.suspectedRollbacks();
  }

  @Override
  public Ledger ledger() {
    return memory.ledger();
  }

  @Override
  public Limits limits() {
    return memory.limits();
  }

  /** The next command goes on with it. */
  @Override
  public void close() {}
}
