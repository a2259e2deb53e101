package dev.leasehold.examples.gateway;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Starts, watches, pauses and kills gateways, and leaves no process behind. */
final class Fleet implements AutoCloseable {
  /** The limit of every wait, which only a run that hangs reaches. */
  private static final long TIMEOUT_SECONDS = 120;

  private static final int MAX_STARTS = 5;

  private static final long LOOK_AGAIN_MILLIS = 50;

  private final List<Replica> replicas = new CopyOnWriteArrayList<>();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Attached.Claims claims;
  private final List<String> settings;

  Fleet(Attached.Claims claims, List<String> settings) {
    this.claims = claims;
    this.settings = List.copyOf(settings);
  }

  /** One process. */
  final class Replica {
    private final String name;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private Replica(String name, Process process) {
      this.name = name;
      this.process = process;
      Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
      try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          heard(line);
        }
        heard("(ended)");
      } catch (IOException e) {
        heard("(cut off: " + e + ")");
      }
    }

    private void heard(String line) {
      lines.add(line);
      said.add(name + ": " + line);
      synchronized (Fleet.this) {
        Fleet.this.notifyAll();
      }
    }

    void awaitSaying(String beginning) {
      awaitThat(
          name + " says '" + beginning + "', or has ended",
          () -> last(beginning).isPresent() || last("(").isPresent());
      if (last(beginning).isEmpty()) {
        throw new AssertionError(
            name + " has ended without '" + beginning + "'; heard:\n" + tail());
      }
    }

    /** The rest of the latest line with this beginning. */
    Optional<String> last(String beginning) {
      return lines.stream()
          .filter(line -> line.startsWith(beginning))
          .reduce((first, second) -> second)
          .map(line -> line.substring(beginning.length()).strip());
    }

    /** The last token under which it has led. */
    Optional<Token> term() {
      return last("leading ").map(Token::parse);
    }

    URI address() {
      return URI.create("http://localhost:" + last("serving on ").orElseThrow());
    }

    boolean isServing() {
      return process.isAlive() && last("serving on ").isPresent();
    }

    String name() {
      return name;
    }

    /** SIGKILL. */
    void kill() {
      process.destroyForcibly();
      process.onExit().join();
    }

    /** SIGTERM, and STOP and CONT likewise. */
    void signal(String signal) {
      List<String> command = List.of("kill", "-" + signal, Long.toString(process.pid()));
      try {
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
          throw new IllegalStateException(command + " failed");
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  /** Starts another replica, and retries if a busy machine kept it from the store for too long. */
  Replica start() {
    for (int attempt = 0; attempt < MAX_STARTS; attempt++) {
      Replica replica = launch();
      awaitThat(
          replica.name() + " serves or ends",
          () -> replica.isServing() || !replica.process.isAlive());
      if (replica.isServing()) {
        return replica;
      }
    }
    throw new AssertionError("no gateway can be started; heard:\n" + tail());
  }

  private Replica launch() {
    String name = "gateway-" + (replicas.size() + 1);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path", ""),
                Attached.class.getName(),
                claims.name(),
                "name=" + name,
                "port=0"));
    command.addAll(settings);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      Replica replica = new Replica(name, process);
      replicas.add(replica);
      return replica;
    } catch (IOException e) {
      throw new UncheckedIOException("no process can be started", e);
    }
  }

  Replica named(String name) {
    return replicas.stream().filter(one -> one.name().equals(name)).findAny().orElseThrow();
  }

  List<Replica> serving() {
    return replicas.stream().filter(Replica::isServing).toList();
  }

  /** The replica that was elected last; its term may be over. */
  Optional<Replica> leader() {
    return replicas.stream()
        .filter(replica -> replica.term().isPresent())
        .max(Comparator.comparingLong(replica -> replica.term().orElseThrow().value()));
  }

  Replica awaitLeader() {
    awaitThat("a replica leads", () -> leader().isPresent());
    return leader().orElseThrow();
  }

  /** Waits until a replica leads under a higher token. */
  Replica awaitLeaderAfter(Token term) {
    awaitThat(
        "a replica leads after " + term,
        () -> leader().flatMap(Replica::term).filter(next -> next.isAbove(term)).isPresent());
    return leader().orElseThrow();
  }

  void awaitThat(String what, BooleanSupplier condition) {
    long deadline = nanos() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!condition.getAsBoolean()) {
      if (nanos() > deadline) {
        throw new AssertionError("waited in vain until " + what + "; heard:\n" + tail());
      }
      synchronized (this) {
        try {
          wait(LOOK_AGAIN_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while waiting until " + what, e);
        }
      }
    }
  }

  static long nanos() {
    return Ticker.system().nanos();
  }

  String tail() {
    return String.join("\n", said.subList(Math.max(0, said.size() - 80), said.size()));
  }

  @Override
  public void close() {
    replicas.forEach(Replica::kill);
  }
}
