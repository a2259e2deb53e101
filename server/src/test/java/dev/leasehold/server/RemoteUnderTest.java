package dev.leasehold.server;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.testkit.objects.ObjectsUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store behind two servers, with a client for each. Commands that only a store sends to itself
 * are given to the store directly, because the contract checks their effect.
 */
final class RemoteUnderTest implements StoreUnderTest {
  private final StoreUnderTest behind;
  private final LeaseholdServer first;
  private final LeaseholdServer second;
  private final RemoteStore here;
  private final RemoteStore there;
  private final LeaseStore store;
  private final LeaseStore another;

  RemoteUnderTest(StoreUnderTest behind) {
    this(behind, Store.of(behind.store()), Store.of(behind.another()));
  }

  /** The whole store that each of the servers serves. */
  RemoteUnderTest(StoreUnderTest behind, Store store, Store another) {
    this.behind = behind;
    this.first = LeaseholdServer.on(store).start();
    this.second = LeaseholdServer.on(another).start();
    this.here = client(first);
    this.there = client(second);
    this.store = new Through(here.leases(), behind.store());
    this.another = new Through(there.leases(), behind.another());
  }

  /** The objects beside these leases, seen from each of the servers. */
  ObjectsUnderTest withObjects() {
    return new ObjectsUnderTest(this, here.objects(), there.objects());
  }

  private static RemoteStore client(LeaseholdServer server) {
    return RemoteStore.at(server.address().toString()).open();
  }

  private static final class Through extends ForwardingStore {
    private final LeaseStore remote;
    private final LeaseStore direct;

    Through(LeaseStore remote, LeaseStore direct) {
      super(remote);
      this.remote = remote;
      this.direct = direct;
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      CompletionStage<List<Outcome>> answers = CompletableFuture.completedStage(List.of());
      List<Command> run = new ArrayList<>();
      for (Command command : batch) {
        if (!run.isEmpty() && run.getLast().isOfStores() != command.isOfStores()) {
          answers = then(answers, List.copyOf(run));
          run.clear();
        }
        run.add(command);
      }
      return then(answers, List.copyOf(run));
    }

    private CompletionStage<List<Outcome>> then(
        CompletionStage<List<Outcome>> before, List<Command> run) {
      return before.thenCompose(
          known ->
              part(run)
                  .thenApply(
                      more -> {
                        List<Outcome> all = new ArrayList<>(known);
                        all.addAll(more);
                        return all;
                      }));
    }

    private CompletionStage<List<Outcome>> part(List<Command> run) {
      boolean byHand = !run.isEmpty() && run.getFirst().isOfStores();
      return byHand ? direct.apply(run) : remote.apply(run);
    }
  }

  @Override
  public LeaseStore store() {
    return store;
  }

  @Override
  public LeaseStore another() {
    return another;
  }

  @Override
  public void setClock(long epochMillis) {
    behind.setClock(epochMillis);
  }

  @Override
  public void close() {
    store.close();
    another.close();
    first.close();
    second.close();
    behind.close();
  }
}
