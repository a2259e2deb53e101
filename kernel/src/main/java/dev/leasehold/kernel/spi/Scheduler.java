package dev.leasehold.kernel.spi;

/**
 * Runs tasks later. Every wait in a process goes through a scheduler, so that a test can control
 * it.
 */
public interface Scheduler {
  /** Runs a task once, after this time or later. The task must not block. */
  Timer schedule(Runnable task, long delayNanos);

  /** A scheduled task that can be cancelled. */
  interface Timer {
    /** When this returns, the task may be running or have run; it will not start any more. */
    void cancel();
  }
}
