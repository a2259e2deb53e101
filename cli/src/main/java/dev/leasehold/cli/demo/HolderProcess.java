package dev.leasehold.cli.demo;

import dev.leasehold.kernel.spi.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A running {@link HolderProgram}, as its director sees it. */
final class HolderProcess implements AutoCloseable {
  /** Time limit of every wait. Only a run that hangs reaches it. */
  private static final long TIMEOUT_SECONDS = 120;

  private final String name;
  private final Process process;
  private final Writer orders;

  // Both guarded by the monitor of this process.
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  private HolderProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Uses the class path of this process, which may be one jar. */
  static HolderProcess start(String name, Class<?> program, List<String> arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path", ""),
                program.getName()));
    command.addAll(arguments);
    HolderProcess started =
        new HolderProcess(name, new ProcessBuilder(command).redirectErrorStream(true).start());
    Thread.ofVirtual().start(started::listen);
    return started;
  }

  long pid() {
    return process.pid();
  }

  private void listen() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        heard(line, false);
      }
      heard("(ended)", true);
    } catch (IOException e) {
      heard("(cut off: " + e + ")", true);
    }
  }

  private synchronized void heard(String line, boolean last) {
    lines.add(line);
    ended = last;
    notifyAll();
  }

  /** Sends an order. Returns the position from which on lines may answer it. */
  synchronized int tell(String order) {
    try {
      orders.write(order + "\n");
      orders.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " does not listen", e);
    }
    return lines.size();
  }

  /** Sends an order and waits for its answer. */
  String ask(String order, String... beginnings) throws InterruptedException {
    return await(tell(order), beginnings);
  }

  /** The first line after this position that begins in one of these ways. */
  String await(int from, String... beginnings) throws InterruptedException {
    return await(
        "says " + List.of(beginnings),
        () ->
            lines.stream()
                .skip(from)
                .filter(line -> Stream.of(beginnings).anyMatch(line::startsWith))
                .findFirst());
  }

  /** Waits for {@code more} further lines, and returns the last of them. */
  synchronized String awaitMore(int more) throws InterruptedException {
    int enough = lines.size() + more;
    return await(
        "has said " + enough + " lines",
        () -> lines.size() < enough ? Optional.empty() : Optional.of(lines.get(enough - 1)));
  }

  private synchronized String await(String what, Supplier<Optional<String>> looking)
      throws InterruptedException {
    long deadline = Ticker.system().nanos() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    for (Optional<String> found = looking.get(); ; found = looking.get()) {
      if (found.isPresent()) {
        return found.get();
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - Ticker.system().nanos());
      if (left <= 0 || ended) {
        throw new IllegalStateException(
            "waited until the time limit for %s %s; output so far:%n%s"
                .formatted(name, what, String.join("\n", lines)));
      }
      wait(left);
    }
  }

  /** Sends SIGSTOP: the process is suspended at any point, without notice. */
  void stop() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Sends SIGCONT: the process goes on where it was. */
  void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    List<String> command = List.of("kill", signal, Long.toString(pid()));
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException(command + " ended with status " + status);
    }
  }

  /** Also ends a stopped process. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
