package dev.leasehold.testkit.model;

import dev.leasehold.fence.LeaseKey;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Passes everything on to another store; a subclass changes what it is about. */
public abstract class ForwardingStore implements LeaseStore {
  private final LeaseStore store;

  protected ForwardingStore(LeaseStore store) {
    this.store = store;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    return store.apply(batch);
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return store.read(key);
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    return store.list(query);
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return store.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return store.purge(query);
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return store.advance(advance);
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return store.suspectedRollbacks();
  }

  @Override
  public Ledger ledger() {
    return store.ledger();
  }

  @Override
  public Limits limits() {
    return store.limits();
  }

  @Override
  public void close() {
    store.close();
  }
}
