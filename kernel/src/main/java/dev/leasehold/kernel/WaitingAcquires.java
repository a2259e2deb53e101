package dev.leasehold.kernel;

import dev.leasehold.kernel.engine.WaitingLines;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.kernel.wires.SerialTurns;
import dev.leasehold.kernel.wires.SystemScheduler;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Acquires that wait for a held key, for callers with instances of their own: the clients of a
 * server and the command line. This adds threads to {@link WaitingLines}, and must be registered as
 * the listener of a store's watch.
 */
public final class WaitingAcquires implements ChangeListener<LeaseChange>, AutoCloseable {
  private final SystemScheduler scheduler;
  private final Environment environment;
  private final WaitingLines lines;

  /** Sends acquires by this function, which must neither block nor fail. */
  public WaitingAcquires(Function<Command.Acquire, CompletionStage<Outcome>> store) {
    Ticker ticker = Ticker.system();
    this.scheduler = new SystemScheduler(ticker);
    this.environment =
        new Environment(
            ticker,
            scheduler,
            new SerialTurns(Thread::startVirtualThread),
            new SplittableRandom(new SecureRandom().nextLong()));
    this.lines =
        new WaitingLines(
            (acquire, receiver) -> {
              var unused = store.apply(acquire).thenAccept(receiver);
            },
            environment);
  }

  /**
   * Completes with the store's answer: at once if waiting would not change it, else when the key is
   * granted or the time is up. A caller that completes it itself, as a timeout does, leaves the
   * line; its request may still be granted, and the caller must abandon it.
   */
  public CompletableFuture<Outcome> acquire(Command.Acquire acquire, Duration wait) {
    return acquire(acquire, wait, LeaseObserver.NONE);
  }

  /** The same; the observer, which neither blocks nor throws, is told while the acquire waits. */
  public CompletableFuture<Outcome> acquire(
      Command.Acquire acquire, Duration wait, LeaseObserver observer) {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    environment
        .turns()
        .execute(
            () -> {
              WaitingLines.Waiter waiter =
                  lines.join(acquire, wait.toNanos(), answer::complete, observer);
              var unused =
                  answer.whenComplete(
                      (outcome, failure) -> environment.turns().execute(waiter::leave));
            });
    return answer;
  }

  /** Ends every acquire, present or later; an answer that is in flight takes precedence. */
  public void endAll(Outcome outcome) {
    environment.turns().execute(() -> lines.endAll(outcome));
  }

  @Override
  public void changed(LeaseChange change) {
    // A waiter that joins later asks the store itself, after this change.
    if (change.kind() != LeaseChange.Kind.GRANTED && lines.waiting() > 0) {
      environment.turns().execute(() -> lines.hint(change.key()));
    }
  }

  @Override
  public void reset() {
    environment.turns().execute(lines::hintAll);
  }

  /** Stops the timers; answers to requests in flight still arrive. */
  @Override
  public void close() {
    scheduler.close();
  }
}
