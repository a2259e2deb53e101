package dev.leasehold.server.http;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long one request may wait for the store, in all: the look for its key, and whatever it asks
 * afterwards, share it, because callers are promised an answer within 5 s. What the caller takes to
 * send its body does not count. Of one thread.
 */
final class Patience {
  private static final System.Logger LOG = System.getLogger(Patience.class.getName());

  /** Commands are given up a moment earlier, each with its own word on what is known of it. */
  static final Duration WHOLE = SharedCommands.PATIENCE.plusMillis(50);

  private final Ticker ticker;
  private long leftNanos = WHOLE.toNanos();

  Patience(Ticker ticker) {
    this.ticker = ticker;
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, leftNanos));
  }

  /** What the store says, or the problem that it says nothing in time. */
  <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return within(stage, left());
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "the store did not answer in time");
      throw ProblemException.storeAway();
    }
  }

  /** What the store says, or this if it says nothing in time. */
  <T> T await(CompletionStage<T> stage, T ifSilent) throws InterruptedException {
    return await(stage, Duration.ZERO, ifSilent);
  }

  /**
   * The same, of commands: they are answered or given up by themselves before a whole request's
   * time is over, and need no timer of their own unless some of that time has gone already.
   */
  <T> T awaitCommands(CompletionStage<T> stage, T ifSilent) throws InterruptedException {
    return left().compareTo(SharedCommands.PATIENCE) >= 0
        ? this.<T, RuntimeException>timed(stage.toCompletableFuture()::get)
        : await(stage, ifSilent);
  }

  /** One way to wait for a future. */
  private interface Getting<T, E extends Exception> {
    T get() throws InterruptedException, ExecutionException, E;
  }

  /** The same, for a caller that waits so much longer of its own will. */
  <T> T await(CompletionStage<T> stage, Duration longer, T ifSilent) throws InterruptedException {
    try {
      return within(stage, left().plus(longer));
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "the store did not answer in time");
      return ifSilent;
    }
  }

  private <T> T within(CompletionStage<T> stage, Duration time)
      throws InterruptedException, TimeoutException {
    return timed(() -> stage.toCompletableFuture().get(time.toNanos(), TimeUnit.NANOSECONDS));
  }

  private <T, E extends Exception> T timed(Getting<T, E> getting) throws InterruptedException, E {
    long began = ticker.nanos();
    try {
      return getting.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllFormedException illFormed) {
        throw illFormed;
      }
      if (e.getCause() instanceof ProblemException problem) {
        throw problem;
      }
      LOG.log(Level.WARNING, "the store could not be asked", e.getCause());
      throw ProblemException.storeAway();
    } finally {
      leftNanos -= ticker.nanos() - began;
    }
  }
}
