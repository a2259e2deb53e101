package dev.leasehold.server.http;

import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.WaitingAcquires;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** Requests that wait for a lease: {@link WaitingAcquires} whose connections may close. */
public final class WaitingRequests implements ChangeListener<LeaseChange>, AutoCloseable {
  /** The outcome of a command that has no answer when its time is up. */
  static final Outcome SILENCE =
      new Outcome.Failed(Certainty.UNKNOWN, "the store did not answer in time");

  private static final Outcome STOPPING =
      new Outcome.Failed(Certainty.NOT_APPLIED, "this server is about to stop: ask another");

  private final SharedCommands commands;
  private final int most;
  private final Semaphore places;
  private final WaitingAcquires acquires;

  /** {@code most} limits the waiting requests; more are told to come again. */
  public WaitingRequests(SharedCommands commands, int most) {
    this.commands = commands;
    this.most = most;
    this.places = new Semaphore(most);
    this.acquires =
        new WaitingAcquires(acquire -> commands.apply(List.of(acquire)).thenApply(List::getFirst));
  }

  /**
   * Waits until the store grants the lease, or time is up.
   *
   * @return empty when the caller has gone; then the request is abandoned
   */
  Optional<Outcome> await(Call call, Command.Acquire acquire, long waitMillis)
      throws InterruptedException {
    if (!places.tryAcquire()) {
      throw ProblemException.tooMany(most + " requests wait already: ask without waitMs");
    }
    try {
      Optional<Outcome> outcome = awaitAnswer(call, acquire, Duration.ofMillis(waitMillis));
      if (outcome.isEmpty()) {
        abandon(acquire);
      }
      return outcome;
    } finally {
      places.release();
    }
  }

  private Optional<Outcome> awaitAnswer(Call call, Command.Acquire acquire, Duration wait)
      throws InterruptedException {
    CompletableFuture<Outcome> answer = acquires.acquire(acquire, wait, call.observer());
    CompletableFuture<Optional<Outcome>> end = answer.thenApply(Optional::of);
    ClientDisconnect disconnect =
        ClientDisconnect.of(call.request(), () -> end.complete(Optional.empty()));
    try {
      return call.waitLimit().await(end, wait, Optional.of(SILENCE));
    } finally {
      disconnect.close();
      // A request without an answer leaves its line.
      answer.cancel(false);
    }
  }

  /** The request's caller has gone, so the store must not grant it a lease. */
  void abandon(Command.Acquire acquire) {
    var unused =
        commands.apply(
            List.of(new Command.Abandon(acquire.key(), acquire.instance(), acquire.requestId())));
  }

  public int waiting() {
    return most - places.availablePermits();
  }

  @Override
  public void changed(LeaseChange change) {
    acquires.changed(change);
  }

  @Override
  public void reset() {
    acquires.reset();
  }

  /** Tells waiting and new requests to ask another server. */
  public void drain() {
    acquires.endAll(STOPPING);
  }

  @Override
  public void close() {
    drain();
    acquires.close();
  }
}
