package dev.leasehold.kernel;

import dev.leasehold.kernel.engine.Environment;
import dev.leasehold.kernel.engine.Gatherer;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.kernel.wires.StoreWires;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A way to a store for whoever passes on the commands of many, as a server does: what is in flight
 * shares batches, as the commands of one {@link Leases} do, and renewals have a lane of their own.
 *
 * <p>Every command is answered within {@link #PATIENCE}, by the store or as failed.
 */
public final class SharedCommands implements AutoCloseable {
  /** A store that says itself that it is away does so a little earlier. */
  public static final Duration PATIENCE = Duration.ofMillis(4_900);

  private final Executor turns;
  private final Gatherer commands;
  private final Gatherer renewals;
  private final Optional<SystemScheduler> own;

  // Changed in turns alone.
  private final List<Runnable> told = new ArrayList<>();
  private boolean closed;

  private SharedCommands(StoreWires.Applying store, Waiting waiting) {
    this.own = waiting.own();
    this.turns = new SerialTurns(Thread::startVirtualThread);
    Environment environment =
        new Environment(
            waiting.ticker(),
            waiting.scheduler(),
            turns,
            new SplittableRandom(new SecureRandom().nextLong()));
    this.commands = gatherer(store, environment);
    this.renewals = gatherer(store, environment);
  }

  /** How time passes. */
  private record Waiting(Ticker ticker, Scheduler scheduler, Optional<SystemScheduler> own) {}

  private static Gatherer gatherer(StoreWires.Applying store, Environment environment) {
    return new Gatherer(
        StoreWires.wire(store, environment.turns()), environment, PATIENCE.toNanos());
  }

  /** Through what carries out batches: a store's {@code apply}, or something around it. */
  public static SharedCommands to(Function<List<Command>, CompletionStage<List<Outcome>>> store) {
    SystemScheduler scheduler = new SystemScheduler(Ticker.system());
    return new SharedCommands(
        store::apply, new Waiting(Ticker.system(), scheduler, Optional.of(scheduler)));
  }

  /** For tests, which turn the time. */
  public static SharedCommands to(
      Function<List<Command>, CompletionStage<List<Outcome>>> store,
      Ticker ticker,
      Scheduler scheduler) {
    return new SharedCommands(store::apply, new Waiting(ticker, scheduler, Optional.empty()));
  }

  /**
   * As a store does: each command stands alone, and those on one key take effect in the order
   * given. The stage never fails. It is completed by a thread that may block, and that tells those
   * who shared a batch one after the other: what depends on it should be quick.
   */
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
    if (batch.isEmpty()) {
      answer.complete(List.of());
    } else {
      Gatherer lane =
          batch.stream().allMatch(Command.Renew.class::isInstance) ? renewals : commands;
      turns.execute(() -> submit(new Gathered(batch, answer), lane));
    }
    return answer;
  }

  private void submit(Gathered gathered, Gatherer lane) {
    if (closed) {
      gathered.refuse();
    } else {
      gathered.submitTo(lane);
    }
  }

  /** Whoever waits must not hold up the turns; those of one reply share the thread that tells. */
  private void tellAfterThisTurn(Runnable telling) {
    told.add(telling);
    if (told.size() == 1) {
      turns.execute(
          () -> {
            List<Runnable> all = List.copyOf(told);
            told.clear();
            Thread.startVirtualThread(() -> all.forEach(Runnable::run));
          });
    }
  }

  /** One caller's commands, which may come back in several batches. Changed in turns alone. */
  private final class Gathered {
    private final List<Command> batch;
    private final CompletableFuture<List<Outcome>> answer;
    private final List<Optional<Outcome>> outcomes;
    private int left;

    Gathered(List<Command> batch, CompletableFuture<List<Outcome>> answer) {
      this.batch = batch;
      this.answer = answer;
      this.outcomes = new ArrayList<>(Collections.nCopies(batch.size(), Optional.empty()));
      this.left = batch.size();
    }

    void submitTo(Gatherer lane) {
      for (int i = 0; i < batch.size(); i++) {
        int place = i;
        lane.submit(batch.get(i), told -> take(place, told.outcome()));
      }
    }

    void refuse() {
      Outcome closed = new Outcome.Failed(Certainty.NOT_APPLIED, "this way to the store is closed");
      answer.complete(Collections.nCopies(batch.size(), closed));
    }

    private void take(int place, Outcome outcome) {
      outcomes.set(place, Optional.of(outcome));
      left--;
      if (left == 0) {
        List<Outcome> all = outcomes.stream().map(Optional::orElseThrow).toList();
        tellAfterThisTurn(() -> answer.complete(all));
      }
    }
  }

  /** Whatever is not answered by now has failed: nothing is waited for any more. */
  @Override
  public void close() {
    turns.execute(
        () -> {
          closed = true;
          commands.giveUpAll();
          renewals.giveUpAll();
        });
    own.ifPresent(SystemScheduler::close);
  }
}
