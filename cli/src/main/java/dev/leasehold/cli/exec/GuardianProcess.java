package dev.leasehold.cli.exec;

import dev.leasehold.kernel.Lease;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The {@link Guardian}, as its wrapper sees it. */
final class GuardianProcess implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GuardianProcess.class.getName());
  private static final long START_SECONDS = 60;

  private final Process process;
  private final Lease lease;
  private final Writer orders;
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

  private GuardianProcess(Process process, Lease lease) {
    this.process = process;
    this.lease = lease;
    this.orders = process.outputWriter(StandardCharsets.US_ASCII);
  }

  /** Uses the class path of this process, which may be one jar. */
  static GuardianProcess start(Lease lease, Duration grace, Duration interval) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx16m",
            "-cp",
            System.getProperty("java.class.path", ""),
            Guardian.class.getName(),
            Long.toString(grace.toNanos()),
            Long.toString(interval.toNanos()));
    Process process =
        new ProcessBuilder(ProcessGroup.inItsOwnSession(command))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    GuardianProcess started = new GuardianProcess(process, lease);
    Thread answers = new Thread(started::answer, "leasehold-guardian-answers");
    answers.setDaemon(true);
    answers.start();
    return started;
  }

  private void answer() {
    try (BufferedReader questions = process.inputReader(StandardCharsets.US_ASCII)) {
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        if (line.equals("ready")) {
          ready.complete(true);
        } else {
          // Calculated after the question came, so that a trust counted from the question is at
          // most too short.
          say("trust " + line + " " + (lease.isEnding() ? 0 : lease.trust().toNanos()));
        }
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the guardian has ended", e);
    }
    ready.complete(false);
  }

  /** A guardian that does not read has ended, and its end is noticed elsewhere. */
  private synchronized void say(String line) {
    try {
      orders.write(line + "\n");
      orders.flush();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the guardian does not listen", e);
    }
  }

  /** Asks it to guard this group as soon as it can. */
  void take(ProcessGroup group) {
    say("guard " + group.id());
  }

  /** Returns once the group that it was given is guarded. */
  void awaitReady() throws InterruptedException {
    try {
      if (ready.get(START_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the guardian process did not come up", e);
    }
    throw new IllegalStateException("the guardian process did not come up");
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  boolean isGuarding() {
    return process.isAlive() && ready.getNow(false);
  }

  /** Tells it that nothing is left to guard. */
  void dismiss() {
    say("done");
  }

  /**
   * Ends the connection. Unless it was dismissed, the guardian ends its group when the trust is
   * over.
   */
  @Override
  public void close() {
    try {
      orders.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the guardian has ended", e);
    }
  }
}
