package dev.leasehold.cli;

import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Asks for a key until it is granted, refused for good, or the wait is over: again when the store
 * said that it may be free, and when it hints that something happened to the key.
 *
 * <p>Whoever is interrupted takes nothing along: the attempt that may still be under way is
 * abandoned at the store, and none is sent after that.
 */
final class Acquirer implements ChangeListener<LeaseChange> {
  /** Contenders that were told the same moment do not all come back in it. */
  private static final int SPREAD_MILLIS = 100;

  private static final long ABANDON_PATIENCE_MILLIS = 2_000;

  private final LeaseStore store;
  private final Ticker ticker;
  private final Command.Acquire request;
  private final boolean named;
  private final Semaphore hints = new Semaphore(0);
  private final SecureRandom random = new SecureRandom();

  // Both guarded by the monitor of this object.
  private Optional<Command.Acquire> underWay = Optional.empty();
  private boolean over;

  /** Done once an interruption has abandoned what was under way. */
  private final CompletableFuture<Boolean> abandoned = new CompletableFuture<>();

  /**
   * @param named whether the caller chose the request id, and so keeps it; else each attempt that
   *     comes after an answer has its own
   */
  Acquirer(LeaseStore store, Ticker ticker, Command.Acquire request, boolean named) {
    this.store = store;
    this.ticker = ticker;
    this.request = request;
    this.named = named;
  }

  Outcome acquire(Duration wait) throws InterruptedException {
    long deadline = ticker.nanos() + wait.toNanos();
    Subscription watching = store.watch(request.key().text(), this);
    try {
      return acquireUntil(deadline);
    } finally {
      watching.close();
    }
  }

  private Outcome acquireUntil(long deadlineNanos) throws InterruptedException {
    Command.Acquire attempt = request;
    while (true) {
      begin(attempt);
      Outcome outcome = ask(attempt);
      OptionalLong opensIn = opensInMillis(outcome);
      long leftNanos = deadlineNanos - ticker.nanos();
      if (opensIn.isEmpty() || leftNanos <= 0) {
        settle();
        return outcome;
      }
      long pauseMillis = opensIn.getAsLong() + random.nextInt(SPREAD_MILLIS);
      long pauseNanos = Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(pauseMillis));
      // Whether by hint or by time: the store is asked.
      boolean unused = hints.tryAcquire(pauseNanos, TimeUnit.NANOSECONDS);
      attempt = named ? attempt : renamed(attempt);
    }
  }

  private Outcome ask(Command.Acquire attempt) {
    try {
      return Asking.one(store, attempt);
    } catch (CommandFailedException e) {
      if (e.exit() == Exit.UNREACHABLE) {
        // It may have been granted, and nobody would use it.
        boolean unused = abandon(attempt);
      }
      throw e;
    }
  }

  private static Command.Acquire renamed(Command.Acquire attempt) {
    return Command.Acquire.of(
        attempt.key(), attempt.instance(), RequestId.random(), attempt.terms());
  }

  /** When it makes sense to ask again; empty: it does not. */
  private static OptionalLong opensInMillis(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Held held -> OptionalLong.of(held.remainingMillis());
      case Outcome.Closed closed -> closed.remainingMillis();
      default -> OptionalLong.empty();
    };
  }

  private void begin(Command.Acquire attempt) {
    synchronized (this) {
      if (!over) {
        underWay = Optional.of(attempt);
        return;
      }
    }
    throw interrupted();
  }

  private void settle() {
    synchronized (this) {
      if (!over) {
        over = true;
        return;
      }
    }
    throw interrupted();
  }

  /** The store must stay open until the interruption is done with it. */
  private CommandFailedException interrupted() {
    String what =
        abandoned.join()
            ? "interrupted: the request is abandoned"
            : "interrupted: the store could not be told, so what it may have granted ends by ttl";
    return new CommandFailedException(Exit.INTERRUPTED, what);
  }

  /** Called when the process is asked to end, on a thread of its own. */
  void interrupt() {
    Optional<Command.Acquire> last;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      last = underWay;
    }
    abandoned.complete(last.isEmpty() || abandon(last.get()));
    hints.release();
  }

  private boolean abandon(Command.Acquire attempt) {
    Command abandon = new Command.Abandon(attempt.key(), attempt.instance(), attempt.requestId());
    return store
        .apply(List.of(abandon))
        .toCompletableFuture()
        .thenApply(outcomes -> outcomes.getFirst() instanceof Outcome.Abandoned)
        .completeOnTimeout(false, ABANDON_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionally(failed -> false)
        .join();
  }

  @Override
  public void changed(LeaseChange change) {
    if (change.key().equals(request.key()) && change.kind() != LeaseChange.Kind.GRANTED) {
      hints.release();
    }
  }

  @Override
  public void reset() {
    hints.release();
  }
}
