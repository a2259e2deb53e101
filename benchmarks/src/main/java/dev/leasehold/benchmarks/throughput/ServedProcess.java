package dev.leasehold.benchmarks.throughput;

import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server in a process of its own, so that its memory is its own. */
final class ServedProcess implements AutoCloseable {
  private static final double KIBIBYTES_IN_MEBIBYTE = 1_024;

  private final Process process;
  private final URI address;

  private ServedProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** The process itself. */
  public static void main(String[] arguments) throws IOException {
    try (JdbcLeaseStore store = JdbcLeaseStore.at(arguments[0]).migrate().open();
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      System.out.println(server.address());
      int unused = System.in.read();
    }
  }

  static ServedProcess start(String url) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            ServedProcess.class.getName(),
            url);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    String address = said.readLine();
    if (address == null) {
      process.destroyForcibly();
      throw new IOException("the server has not started");
    }
    return new ServedProcess(process, URI.create(address));
  }

  URI address() {
    return address;
  }

  /** All that the system has given it, heap or not. */
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
