package dev.leasehold.verification.configurations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.LeasesBuilder;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.testkit.time.ManualScheduler;
import dev.leasehold.testkit.time.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store in memory and processes that use it, each of which can be paused and cut off. */
final class Stage {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final ManualTicker ticker = new ManualTicker();
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private Duration clockStep = Duration.ZERO;
  private final LeaseStore store =
      new MemoryLeaseStore(
          () -> START.plusNanos(ticker.nanos()).plus(clockStep), Limits.SINGLE_NODE);

  /** A process. */
  final class Player {
    private final Leases leases;
    private final List<Runnable> dueWhilePaused = new ArrayList<>();
    private boolean paused;
    private boolean cutOff;
    private int batches;

    private Player(String name, LeaseCharter... charters) {
      LeaseStore wire =
          new ForwardingStore(store) {
            @Override
            public CompletionStage<List<Outcome>> apply(List<Command> batch) {
              batches++;
              return cutOff ? new CompletableFuture<>() : super.apply(batch);
            }
          };
      LeasesBuilder builder =
          Leases.on(wire)
              .holder(name)
              .ticker(ticker)
              .callbacks(Runnable::run)
              .scheduler(
                  (task, delayNanos) ->
                      scheduler.schedule(() -> due(task), Duration.ofNanos(delayNanos))::cancel);
      List.of(charters).forEach(builder::charter);
      leases = builder.open();
    }

    private void due(Runnable task) {
      if (paused) {
        dueWhilePaused.add(task);
      } else {
        task.run();
      }
    }

    Leases leases() {
      return leases;
    }

    Lease take(LeaseRequest request) throws InterruptedException {
      Acquisition acquisition = leases.tryAcquire(request);
      assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
      return ((Acquisition.Acquired) acquisition).lease();
    }

    /** Suspends the process while time goes on, as in a long garbage collection. */
    void pause() {
      paused = true;
    }

    void resume() {
      paused = false;
      List<Runnable> late = List.copyOf(dueWhilePaused);
      dueWhilePaused.clear();
      late.forEach(Runnable::run);
    }

    /** From now on no message reaches the store or comes back. */
    void cutOff() {
      cutOff = true;
    }

    void reconnect() {
      cutOff = false;
    }

    /** How often it has asked the store. */
    int batches() {
      return batches;
    }
  }

  Player enter(String name, LeaseCharter... charters) {
    return new Player(name, charters);
  }

  void advance(Duration by) {
    scheduler.advance(by);
  }

  /** The store's wall clock is set. */
  void stepStoreClock(Duration by) {
    clockStep = clockStep.plus(by);
  }

  Outcome ask(Command command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  Outcome.Revoked revokeNow(LeaseKey key) {
    return (Outcome.Revoked)
        ask(
            new Command.Revoke(
                key,
                new Operator("operator"),
                new Explanation("left the company"),
                Command.Reopening.NOW,
                RequestId.random()));
  }

  LeaseStore store() {
    return store;
  }

  /** The holder of the key, as others see it. */
  Optional<String> holderOf(LeaseKey key) {
    return store
        .read(key)
        .toCompletableFuture()
        .join()
        .flatMap(reading -> reading.record().grant().filter(g -> g.isUnexpired(reading.atMillis())))
        .map(Stage::holder);
  }

  private static String holder(Grant grant) {
    return grant.terms().info().holder();
  }
}
