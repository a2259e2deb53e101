package dev.leasehold.benchmarks.micro;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLedger;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
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
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that grants and renews everything at once and keeps nothing, so that only the cost of the
 * holder's side is left.
 */
final class PromptStore implements LeaseStore {
  private final long ttlMillis;
  private final Ledger ledger = new MemoryLedger(InstantSource.system());
  private Token last = Token.of(1, 0);

  PromptStore(long ttlMillis) {
    this.ttlMillis = ttlMillis;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    if (batch.getFirst() instanceof Command.Renew) {
      // Renewals have a wire of their own, so a batch has either only renewals or none.
      return CompletableFuture.completedFuture(
          Collections.nCopies(batch.size(), new Outcome.Renewed(ttlMillis)));
    }
    return CompletableFuture.completedFuture(batch.stream().map(this::answer).toList());
  }

  private Outcome answer(Command command) {
    return switch (command) {
      case Command.Acquire acquire -> granted(acquire);
      case Command.Release release -> new Outcome.Released();
      default -> new Outcome.Rejected("only what the benchmarks send is answered");
    };
  }

  private Outcome granted(Command.Acquire acquire) {
    last = last.next(1);
    Grant grant =
        new Grant(
            last,
            acquire.instance().id(),
            acquire.requestId(),
            acquire.terms(),
            0,
            0,
            ttlMillis,
            Progress.startingAt(0),
            Standing.OPEN);
    return new Outcome.Granted(grant, ttlMillis);
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    return CompletableFuture.completedFuture(new LeasePage(List.of(), Optional.empty()));
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return () -> {};
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return CompletableFuture.completedFuture(new PurgeReport(0));
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return CompletableFuture.failedFuture(new IllegalStateException("there are no incarnations"));
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return CompletableFuture.completedFuture(new SuspectedRollbacks(0, List.of()));
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Limits limits() {
    return Limits.SINGLE_NODE;
  }

  @Override
  public void close() {}
}
