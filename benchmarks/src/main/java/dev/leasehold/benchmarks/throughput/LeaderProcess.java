package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Candidates;
import dev.leasehold.benchmarks.rivals.CuratorCandidates;
import dev.leasehold.benchmarks.rivals.SpringCandidates;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real process that leads until it is killed, or told to end by SIGTERM, or until the process
 * that started it is gone.
 */
final class LeaderProcess implements AutoCloseable {
  private static final int SPRING_CONNECTIONS = 8;
  private static final int TIMEOUT_SECONDS = 30;
  private static final int MOST_FAILURES = 10;

  private final Process process;

  private LeaderProcess(Process process) {
    this.process = process;
  }

  /** The implementation of elections. */
  enum Kind {
    LEASEHOLD("Leasehold, PostgreSQL"),
    CURATOR("Curator LeaderLatch 5.9.0, ZooKeeper 3.9.5"),
    SPRING("Spring LockRegistryLeaderInitiator 7.0.0, PostgreSQL");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    Candidates open(String address, Duration ttl) {
      return switch (this) {
        case LEASEHOLD -> ElectionCandidates.open(address, ttl);
        case CURATOR -> CuratorCandidates.open(address, ttl);
        case SPRING -> SpringCandidates.open(address, SPRING_CONNECTIONS, ttl);
      };
    }
  }

  /** The process itself: kind, address, ttl and names. It prints each name that it leads. */
  public static void main(String[] arguments) throws Exception {
    List<String> given = List.of(arguments);
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
    Candidates candidates =
        openPatiently(
            Kind.valueOf(given.get(0)),
            given.get(1),
            Duration.ofMillis(Long.parseLong(given.get(2))));
    Runtime.getRuntime().addShutdownHook(new Thread(candidates::close));
    for (String name : given.subList(3, given.size())) {
      candidates.stand(name, () -> out.println(name));
    }
    int unused = System.in.read();
  }

  /** A process that has just begun may be slow to connect on a busy machine. */
  private static Candidates openPatiently(Kind kind, String address, Duration ttl) {
    for (int failures = 1; true; failures++) {
      try {
        return kind.open(address, ttl);
      } catch (StoreUnusableException e) {
        if (failures == MOST_FAILURES) {
          throw e;
        }
      }
    }
  }

  /** Starts the process, and returns when it leads all elections. */
  static LeaderProcess start(Kind kind, String address, Duration ttl, List<String> names)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(LeaderProcess.class.getName(), kind.name(), address));
    command.add(String.valueOf(ttl.toMillis()));
    command.addAll(names);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    for (int i = 0; i < names.size(); i++) {
      if (said.readLine() == null) {
        throw new IllegalStateException("the process of " + kind.text() + " has ended");
      }
    }
    return new LeaderProcess(process);
  }

  /** Sends SIGTERM, and returns at once. */
  void terminate() {
    process.destroy();
  }

  /** Kills it, like kill -9, and returns at once. */
  void kill() {
    Process unused = process.destroyForcibly();
  }

  @Override
  public void close() {
    terminate();
    Process unused =
        process.onExit().completeOnTimeout(process, TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    kill();
  }
}
