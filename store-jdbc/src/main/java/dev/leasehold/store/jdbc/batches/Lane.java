package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.AnswerTimes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads that wait for the database in place of the callers. Each caller gets an answer or a
 * failure in time, even if all the threads are blocked.
 */
public final class Lane implements AutoCloseable {
  static String noAnswer(Duration timeout) {
    return "the store did not answer within "
        + timeout.toMillis()
        + " ms: is the database up, and has the pool a connection left?";
  }

  private final String name;
  private final ExecutorService threads;

  public Lane(String name, int size) {
    this.name = name;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size,
            size,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("leasehold-" + name + "-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    this.threads = pool;
  }

  /** Work that may block. */
  public interface Task<T> {
    T run() throws Exception;
  }

  public <T> CompletionStage<T> submit(Task<T> task) {
    return submit(task, AnswerTimes.STORE);
  }

  public <T> CompletionStage<T> submit(Task<T> task, Duration timeout) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      threads.execute(() -> run(task, answer));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
    }
    return answer
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(explained(failure, timeout)));
  }

  /** The timeout's own exception has no message. */
  private static Throwable explained(Throwable failure, Duration timeout) {
    return failure instanceof TimeoutException && failure.getMessage() == null
        ? new TimeoutException(noAnswer(timeout))
        : failure;
  }

  private static <T> void run(Task<T> task, CompletableFuture<T> answer) {
    if (answer.isDone()) {
      // The caller has got a timeout, and may have sent a different command since.
      return;
    }
    try {
      answer.complete(task.run());
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  @Override
  public void close() {
    end(threads, AnswerTimes.STORE);
  }

  /** Lets threads finish what they have begun, but not for longer than this. */
  public static void end(ExecutorService threads, Duration timeout) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
