package dev.leasehold.kernel;

import dev.leasehold.kernel.spi.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real waiting, on one daemon thread. Tasks are events: short, and never failing. */
final class SystemScheduler implements Scheduler, AutoCloseable {
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1, task -> Thread.ofPlatform().daemon().name("leasehold-timer").unstarted(task));

  SystemScheduler() {
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    try {
      ScheduledFuture<?> future = thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException closed) {
      // After closing nothing is waited for any more: what would have come is not needed.
      return () -> {};
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
