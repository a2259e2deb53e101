package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.WaitingAcquires;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Acquires a key for one command, which may wait for it. An interrupted command must not acquire
 * anything: a pending attempt is abandoned at the store, and none is sent after it.
 */
final class Acquirer {
  private static final long ABANDON_TIMEOUT_MILLIS = 2_000;

  private final LeaseStore store;
  private final Supplier<Command.Acquire> attempts;
  private final CompletableFuture<Outcome> answer = new CompletableFuture<>();

  // Both guarded by the monitor of this object.
  private Optional<Command.Acquire> underWay = Optional.empty();
  private boolean over;

  /**
   * @param attempts supplies the next attempt: under the caller's own request id if it chose one,
   *     else under a new id each time that the attempt before was answered
   */
  Acquirer(LeaseStore store, Supplier<Command.Acquire> attempts) {
    this.store = store;
    this.attempts = attempts;
  }

  Outcome acquire(Duration wait) {
    Command.Acquire wanted = attempts.get();
    Outcome outcome = wait.isZero() ? askOnce(wanted) : askUntilGranted(wanted, wait);
    if (outcome instanceof Outcome.Failed) {
      // The attempt may have been granted without this command knowing it.
      boolean unused = abandon();
    }
    return StoreCalls.known(wanted, outcome);
  }

  private Outcome askOnce(Command.Acquire wanted) {
    var unused = ask(wanted).thenAccept(this::settle);
    return StoreCalls.await(answer);
  }

  private Outcome askUntilGranted(Command.Acquire wanted, Duration wait) {
    try (WaitingAcquires line = new WaitingAcquires(this::ask)) {
      Subscription watching = store.watch(wanted.key().text(), line);
      try {
        var unused = line.acquire(wanted, wait).thenAccept(this::settle);
        return StoreCalls.await(answer);
      } finally {
        watching.close();
      }
    }
  }

  /** Completes without an answer once this is interrupted. */
  private CompletionStage<Outcome> ask(Command.Acquire wanted) {
    Command.Acquire attempt = attempts.get();
    synchronized (this) {
      if (over) {
        return new CompletableFuture<>();
      }
      underWay = Optional.of(attempt);
    }
    try {
      return StoreCalls.send(store, attempt).thenApply(this::settleIfClosedForGood);
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
      return new CompletableFuture<>();
    }
  }

  /** The caller does not wait for a key that only an operator opens. */
  private Outcome settleIfClosedForGood(Outcome outcome) {
    if (outcome instanceof Outcome.Closed closed && closed.remainingMillis().isEmpty()) {
      settle(outcome);
    }
    return outcome;
  }

  private synchronized void settle(Outcome outcome) {
    if (!over) {
      over = true;
      answer.complete(outcome);
    }
  }

  /** Called when the process is asked to end, on a thread of its own. */
  void interrupt() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    // The store stays open until its answer is here.
    String what =
        abandon()
            ? "interrupted: the request is abandoned"
            : "interrupted: the store did not confirm the abandon; a grant, if any, ends by its"
                + " ttl";
    answer.completeExceptionally(new CommandFailedException(Exit.INTERRUPTED, what));
  }

  private boolean abandon() {
    Optional<Command.Acquire> last;
    synchronized (this) {
      last = underWay;
    }
    return last.isEmpty() || abandon(last.get());
  }

  private boolean abandon(Command.Acquire attempt) {
    Command abandon = new Command.Abandon(attempt.key(), attempt.instance(), attempt.requestId());
    return store
        .apply(List.of(abandon))
        .toCompletableFuture()
        .thenApply(outcomes -> outcomes.getFirst() instanceof Outcome.Abandoned)
        .completeOnTimeout(false, ABANDON_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionally(failed -> false)
        .join();
  }
}
