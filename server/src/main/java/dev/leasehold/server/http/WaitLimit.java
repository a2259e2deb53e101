package dev.leasehold.server.http;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long one request may wait for the store in total: authentication and all later calls share
 * this time, because callers are promised an answer within 5 s. The time in which the caller sends
 * its body does not count. Confined to the request's thread.
 */
final class WaitLimit {
  private static final System.Logger LOG = System.getLogger(WaitLimit.class.getName());

  private final Ticker ticker;
  private long leftNanos = AnswerTimes.REQUEST.toNanos();

  WaitLimit(Ticker ticker) {
    this.ticker = ticker;
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, leftNanos));
  }

  /** The store's answer, or a problem if it does not come in time. */
  <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return within(stage, left());
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "the store did not answer in time");
      throw ProblemException.storeAway();
    }
  }

  /** The store's answer, or {@code ifSilent} if it does not come in time. */
  <T> T await(CompletionStage<T> stage, T ifSilent) throws InterruptedException {
    return await(stage, Duration.ZERO, ifSilent);
  }

  /**
   * The same for commands. They complete before a request's time is over, and need a timer of their
   * own only if the request has used some of this time already.
   */
  <T> T awaitCommands(CompletionStage<T> stage, T ifSilent) throws InterruptedException {
    return left().compareTo(AnswerTimes.COMMANDS) >= 0
        ? this.<T, RuntimeException>timed(stage.toCompletableFuture()::get)
        : await(stage, ifSilent);
  }

  /** One way to wait for a future. */
  private interface Getting<T, E extends Exception> {
    T get() throws InterruptedException, ExecutionException, E;
  }

  /** The same for a caller that has asked to wait {@code longer} in addition. */
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
