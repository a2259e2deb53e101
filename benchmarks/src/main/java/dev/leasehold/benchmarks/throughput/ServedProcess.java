package dev.leasehold.benchmarks.throughput;

import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A server in a process of its own, so that its memory is its own. */
final class ServedProcess implements AutoCloseable {
  private static final double KIBIBYTES_IN_MEBIBYTE = 1_024;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final Process process;
  private final URI address;

  private ServedProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** The process itself. */
  public static void main(String[] arguments) throws IOException {
    try (JdbcStore store = JdbcStore.at(arguments[0]).migrate().open();
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      Path written = Path.of(arguments[1] + ".new");
      Files.writeString(written, server.address().toString());
      Files.move(written, Path.of(arguments[1]), StandardCopyOption.ATOMIC_MOVE);
      int unused = System.in.read();
    }
  }

  static ServedProcess start(String url) throws IOException {
    Path told = Files.createTempDirectory("served").resolve("address");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            ServedProcess.class.getName(),
            url,
            told.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (!Files.exists(told)) {
      if (!process.isAlive()) {
        throw new IOException("the server has not started");
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return new ServedProcess(process, URI.create(Files.readString(told)));
  }

  URI address() {
    return address;
  }

  /** The process's resident memory, heap and other. */
  double residentMebibytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / KIBIBYTES_IN_MEBIBYTE;
      }
    }
    throw new IOException("this system does not say how much memory a process has");
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
