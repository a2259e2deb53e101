package dev.leasehold.testkit.model;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLedger;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.ChangeFeed;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A {@link ModelStore} as a store like any other: behind a lock, with a clock of its own. Listeners
 * are told after the lock is given back, on the caller's thread.
 */
public final class ModelLeaseStore implements LeaseStore {
  private final ModelStore model;
  private final InstantSource clock;
  private final ChangeFeed<LeaseChange> feed = new ChangeFeed<>(LeaseChange::isUnder);
  private final MemoryLedger ledger;
  private volatile boolean closed;

  public ModelLeaseStore(ModelStore model, InstantSource clock) {
    this.model = model;
    this.clock = clock;
    this.ledger = new MemoryLedger(clock);
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    if (closed) {
      return closedStore();
    }
    List<Outcome> outcomes = new ArrayList<>(batch.size());
    List<LeaseChange> changes = new ArrayList<>();
    synchronized (model) {
      int before = model.log().entries().size();
      batch.forEach(command -> outcomes.add(model.apply(command, clock.millis())));
      changesSince(before).forEach(changes::add);
    }
    feed.tell(changes);
    return CompletableFuture.completedFuture(List.copyOf(outcomes));
  }

  private List<LeaseChange> changesSince(int sequence) {
    List<StoreLog.Entry> entries = model.log().entries();
    return entries.subList(sequence, entries.size()).stream()
        .filter(StoreLog.Decided.class::isInstance)
        .flatMap(entry -> ((StoreLog.Decided) entry).changes().stream())
        .toList();
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    if (closed) {
      return closedStore();
    }
    synchronized (model) {
      return CompletableFuture.completedFuture(model.read(key, clock.millis()));
    }
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    if (closed) {
      return closedStore();
    }
    synchronized (model) {
      return CompletableFuture.completedFuture(model.list(query, clock.millis()));
    }
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return feed.add(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    if (closed) {
      return closedStore();
    }
    synchronized (model) {
      return CompletableFuture.completedFuture(model.purge(query, clock.millis()));
    }
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    if (closed) {
      return closedStore();
    }
    Advance.Outcome outcome;
    synchronized (model) {
      outcome = model.advance(advance, clock.millis());
    }
    feed.reset();
    return CompletableFuture.completedFuture(outcome);
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    if (closed) {
      return closedStore();
    }
    synchronized (model) {
      return CompletableFuture.completedFuture(model.suspectedRollbacks());
    }
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Limits limits() {
    return model.limits();
  }

  /** The model is its maker's, and stays. */
  @Override
  public void close() {
    closed = true;
    ledger.close();
  }

  private static <T> CompletionStage<T> closedStore() {
    return CompletableFuture.failedFuture(new IllegalStateException("the model store is closed"));
  }
}
