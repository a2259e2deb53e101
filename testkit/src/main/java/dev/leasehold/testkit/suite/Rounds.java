package dev.leasehold.testkit.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs tasks at once, again and again: each round starts when all have finished the one before. So
 * no task falls behind on a busy machine, and what happens in a round is as random as threads are.
 */
public final class Rounds {
  private static final int MAX_SECONDS = 120;

  private final List<Runnable> tasks;
  private final int count;
  private final CyclicBarrier start;
  private final ExecutorService threads;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private Rounds(List<Runnable> tasks, int count, Runnable between) {
    this.tasks = List.copyOf(tasks);
    this.count = count;
    this.start = new CyclicBarrier(tasks.size(), between);
    this.threads = Executors.newFixedThreadPool(tasks.size());
  }

  /**
   * Fails as soon as one of the tasks does.
   *
   * @param between done while nothing else is: before the first round, after the last, and in
   *     between. What it leaves behind, the tasks see; what they leave behind, it sees
   */
  public static void run(List<Runnable> tasks, int count, Runnable between) {
    new Rounds(tasks, count, between).run();
  }

  /** Runs each task once, all at the same moment, and gives their results in the same order. */
  public static <T> List<T> together(List<Callable<T>> tasks) {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while threads were at work", e);
    }
  }

  private void run() {
    try {
      tasks.forEach(task -> threads.execute(() -> repeat(task)));
      threads.shutdown();
      if (!threads.awaitTermination(MAX_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("threads were not done within " + MAX_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while threads were at work", e);
    } finally {
      threads.shutdownNow();
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new AssertionError("a thread failed: " + first, first);
    }
  }

  private void repeat(Runnable task) {
    try {
      for (int i = 0; i < count; i++) {
        start.await();
        task.run();
      }
      start.await();
    } catch (BrokenBarrierException | InterruptedException e) {
      // Another thread has failed, and its failure is the one that is told.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      // Also ends tasks that come to the barrier later, which would wait for this thread.
      threads.shutdownNow();
    }
  }
}
