package dev.leasehold.server.http;

import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Scheduler;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where requests wait for a lease: threads and connections around {@link WaitingLines}. */
public final class Parking implements ChangeListener<LeaseChange>, AutoCloseable {
  /** What is known of a command when time is up. */
  static final Outcome SILENCE =
      new Outcome.Failed(Certainty.UNKNOWN, "the store did not answer in time");

  private static final Outcome STOPPING =
      new Outcome.Failed(Certainty.NOT_APPLIED, "this server is about to stop: ask another");

  private final SharedCommands commands;
  private final int most;
  private final ScheduledThreadPoolExecutor turns;
  private final WaitingLines lines;
  private final AtomicBoolean draining = new AtomicBoolean();

  /** More waiting at a time are told to come again. */
  public Parking(SharedCommands commands, int most) {
    this.commands = commands;
    this.most = most;
    this.turns =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("leasehold-parking").factory());
    turns.setRemoveOnCancelPolicy(true);
    turns.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    Scheduler scheduler =
        (task, delayNanos) -> {
          Future<?> later = turns.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
          return () -> later.cancel(false);
        };
    this.lines =
        new WaitingLines(
            (acquire, answer) -> {
              var unused =
                  commands.apply(List.of(acquire)).thenAccept(all -> answer.accept(all.getFirst()));
            },
            scheduler,
            turns,
            new SplittableRandom(new SecureRandom().nextLong()));
  }

  /**
   * Waits until the store grants it, or time is up.
   *
   * @return empty when the caller has gone; then the request is abandoned
   */
  Optional<Outcome> await(Call call, Command.Acquire acquire, long waitMillis)
      throws InterruptedException {
    CompletableFuture<Optional<Outcome>> end = new CompletableFuture<>();
    CompletableFuture<WaitingLines.Waiter> place = new CompletableFuture<>();
    turns.execute(() -> join(acquire, waitMillis, place, end));
    Departure departure = Departure.of(call.request(), () -> end.complete(Optional.empty()));
    try {
      Optional<Outcome> outcome =
          call.patience().await(end, Duration.ofMillis(waitMillis), Optional.of(SILENCE));
      if (outcome.isEmpty() || outcome.get().equals(SILENCE)) {
        leave(place);
      }
      if (outcome.isEmpty()) {
        abandon(acquire);
      }
      return outcome;
    } finally {
      departure.close();
    }
  }

  private void leave(CompletableFuture<WaitingLines.Waiter> place) {
    turns.execute(
        () -> {
          var unused = place.thenAccept(WaitingLines.Waiter::leave);
        });
  }

  private void join(
      Command.Acquire acquire,
      long waitMillis,
      CompletableFuture<WaitingLines.Waiter> place,
      CompletableFuture<Optional<Outcome>> end) {
    if (draining.get()) {
      end.complete(Optional.of(STOPPING));
    } else if (lines.waiting() >= most) {
      end.completeExceptionally(
          ProblemException.tooMany(most + " requests wait already: ask without waitMs"));
    } else {
      place.complete(
          lines.join(
              acquire,
              Duration.ofMillis(waitMillis).toNanos(),
              outcome -> end.complete(Optional.of(outcome))));
    }
  }

  /** Nobody will hear of it, so nobody is to have it. */
  void abandon(Command.Acquire acquire) {
    var unused =
        commands.apply(
            List.of(new Command.Abandon(acquire.key(), acquire.instance(), acquire.requestId())));
  }

  public int waiting() {
    return lines.waiting();
  }

  @Override
  public void changed(LeaseChange change) {
    // Whoever joins later asks the store itself, and that after this change.
    if (change.kind() != LeaseChange.Kind.GRANTED && lines.waiting() > 0) {
      turns.execute(() -> lines.hint(change.key()));
    }
  }

  @Override
  public void reset() {
    turns.execute(lines::hintAll);
  }

  /** Everybody who waits is told to ask another server; whoever comes is, too. */
  public void drain() {
    draining.set(true);
    turns.execute(() -> lines.endAll(STOPPING));
  }

  @Override
  public void close() {
    drain();
    turns.shutdown();
  }
}
