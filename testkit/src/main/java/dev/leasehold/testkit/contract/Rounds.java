package dev.leasehold.testkit.contract;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs tasks at once, again and again: each round starts when all have finished the one before. So
 * nobody is left behind on a busy machine, and what happens in a round is as random as threads are.
 */
final class Rounds {
  private static final int MAX_SECONDS = 120;

  private final List<Runnable> tasks;
  private final int count;
  private final CyclicBarrier start;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private Rounds(List<Runnable> tasks, int count) {
    this.tasks = List.copyOf(tasks);
    this.count = count;
    this.start = new CyclicBarrier(tasks.size());
  }

  /** Fails as soon as one of the tasks does. */
  static void run(List<Runnable> tasks, int count) {
    new Rounds(tasks, count).run();
  }

  private void run() {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
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
    } catch (BrokenBarrierException | InterruptedException e) {
      // Another thread has failed, and its failure is the one that is told.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      start.reset();
    }
  }
}
