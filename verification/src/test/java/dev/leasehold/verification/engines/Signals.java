package dev.leasehold.verification.engines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Sends signals to processes. */
public final class Signals {
  private Signals() {}

  /** SIGSTOP: suspends processes at any point, without notice. */
  public static void stop(List<ProcessHandle> processes) {
    send("-STOP", processes);
  }

  /** SIGCONT: lets processes continue. */
  public static void resume(List<ProcessHandle> processes) {
    send("-CONT", processes);
  }

  /** SIGKILL, and waits until they are gone. Also ends stopped processes. */
  public static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      while (process.isAlive()) {
        // This takes only moments; onExit would check again much later.
        Thread.onSpinWait();
      }
    }
  }

  private static void send(String signal, List<ProcessHandle> processes) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    try {
      int status = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (status != 0) {
        throw new IllegalStateException(command + " ended with status " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no signal can be sent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending a signal", e);
    }
  }
}
