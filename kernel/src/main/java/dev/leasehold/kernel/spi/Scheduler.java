package dev.leasehold.kernel.spi;

/** Where a process waits: everything that happens later is asked of a scheduler, so tests can. */
public interface Scheduler {
  /** Runs a task once, no earlier than after this time. It must not block. */
  Timer schedule(Runnable task, long delayNanos);

  /** A task that has not run yet, and need not. */
  interface Timer {
    /** Once it returns the task may still be running or have run; it will not start later. */
    void cancel();
  }
}
