package dev.leasehold.cli;

/** Ctrl-C, and every other way in which a process is asked to end. */
interface Interruptions {
  Interruptions OF_PROCESS =
      task -> {
        Thread hook = new Thread(task, "leasehold-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> unhook(hook);
      };

  /** What is run then, unless the registration was closed before. The process ends after it. */
  Registration onInterrupt(Runnable task);

  /** No longer wanted once closed. */
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
