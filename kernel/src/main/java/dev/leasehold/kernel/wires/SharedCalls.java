package dev.leasehold.kernel.wires;

import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.batches.Gatherer;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A way to a store for a process that forwards the calls of many threads: a {@link Gatherer} and
 * the threads around it. Calls in flight share batches.
 *
 * <p>Every call gets an answer within the timeout of the limits, from the store or as failed. A
 * thread that may block completes the futures of one batch one after the other, so their dependents
 * should be quick. A caller that cancels its future withdraws the call, unless it was sent already.
 */
public final class SharedCalls<K, C, O> implements AutoCloseable {
  private final CommandKind<K, C, O> kind;
  private final Executor turns = new SerialTurns(Thread::startVirtualThread);
  private final Gatherer<K, C, O> gatherer;

  // Changed only in turns.
  private final List<Runnable> told = new ArrayList<>();
  private boolean closed;

  /** How time passes. */
  public record Time(Ticker ticker, Scheduler scheduler) {
    /** One thread for the whole process. */
    public static Time system() {
      return new Time(Ticker.system(), SystemScheduler.ofProcess());
    }
  }

  /**
   * Creates a way with no calls yet.
   *
   * @param store carries out batches: a store's {@code apply}, or a wrapper around it
   */
  public SharedCalls(
      CommandKind<K, C, O> kind,
      GatheringLimits limits,
      Function<List<C>, CompletionStage<List<O>>> store,
      Time time) {
    this.kind = kind;
    Environment environment =
        new Environment(
            time.ticker(),
            time.scheduler(),
            turns,
            new SplittableRandom(new SecureRandom().nextLong()));
    this.gatherer = new Gatherer<>(kind, limits, StoreWires.wire(store, turns), environment);
  }

  /**
   * Sends one command.
   *
   * @param reading converts an outcome for the caller; if it throws, the future fails with that
   */
  public <R> CompletableFuture<R> call(C command, Function<O, R> reading) {
    Caller<O, R> caller = new Caller<>(new CompletableFuture<>(), reading);
    turns.execute(() -> submit(command, caller));
    return caller.answer();
  }

  /**
   * Behaves as a store does: each command stands alone, and those on one place take effect in the
   * order given. The stage never fails.
   */
  public CompletionStage<List<O>> apply(List<C> batch) {
    List<Caller<O, O>> callers =
        Stream.generate(() -> new Caller<O, O>(new CompletableFuture<>(), Function.identity()))
            .limit(batch.size())
            .toList();
    turns.execute(
        () -> {
          for (int i = 0; i < batch.size(); i++) {
            submit(batch.get(i), callers.get(i));
          }
        });
    return CompletableFuture.allOf(
            callers.stream().map(Caller::answer).toArray(CompletableFuture[]::new))
        .thenApply(all -> callers.stream().map(caller -> caller.answer().join()).toList());
  }

  private record Caller<O, R>(CompletableFuture<R> answer, Function<O, R> reading) {
    void tell(O outcome) {
      try {
        answer.complete(reading.apply(outcome));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  private <R> void submit(C command, Caller<O, R> caller) {
    if (closed) {
      O refused = kind.failed(Certainty.NOT_APPLIED, "this way to the store is closed");
      tellAfterThisTurn(() -> caller.tell(refused));
      return;
    }
    gatherer.submit(
        command,
        new Answer.Receiver<>() {
          @Override
          public void receive(Answer<O> answer) {
            tellAfterThisTurn(() -> caller.tell(answer.outcome()));
          }

          @Override
          public boolean isGone() {
            return caller.answer().isDone();
          }
        });
  }

  /** Callers' code must not delay the turns; one thread completes all futures of one reply. */
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

  /** Calls without an answer by now have failed, and later ones fail at once. */
  @Override
  public void close() {
    turns.execute(
        () -> {
          closed = true;
          gatherer.giveUpAll();
        });
  }
}
