package dev.leasehold.cli.command;

/** Ctrl-C, and other requests to end the process. */
public interface Interruptions {
  Interruptions OF_PROCESS =
      task -> {
        Thread hook = new Thread(task, "leasehold-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> unhook(hook);
      };

  /**
   * Runs the task when the process is asked to end, unless the registration is closed before. The
   * process ends after it.
   */
  Registration onInterrupt(Runnable task);

  /** Closing it removes the task. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  private static void unhook(Thread hook) {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook runs.
      System.getLogger(Interruptions.class.getName())
          .log(System.Logger.Level.DEBUG, "ended while ending", e);
    }
  }
}
