package dev.leasehold.verification.engines;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of a test's own, with every commit on disk, that can be killed, paused,
 * copied and started again on the same port.
 */
public final class PostgresNode implements AutoCloseable {
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 10_000;
  private static final int MOST_PORTS_TRIED = 10;
  private static final int START_SECONDS = 120;
  private static final SplittableRandom RANDOM =
      new SplittableRandom(ProcessHandle.current().pid());
  private static final Set<Integer> GIVEN_PORTS = new HashSet<>();
  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  /** The unpacked PostgreSQL, and a data folder after initdb; created once. */
  private record Original(Path postgres, Path data) {
    private static final Original INSTANCE = make();

    private static Original make() {
      try {
        Path data = Files.createTempDirectory("leasehold-postgres-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(data)));
        EmbeddedPostgres embedded =
            EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .setDataDirectory(data.resolve("data"))
                .setCleanDataDirectory(false)
                .start();
        try {
          Path pidFile = data.resolve("data/postmaster.pid");
          long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
          String command = ProcessHandle.of(pid).orElseThrow().info().command().orElseThrow();
          return new Original(Path.of(command), data.resolve("data"));
        } finally {
          embedded.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("PostgreSQL could not be unpacked", e);
      }
    }
  }

  private final Path data;
  private final int port;
  private final Setting setting;
  private final List<String> settings = new ArrayList<>();
  private Optional<Process> server = Optional.empty();

  /** How a server is started: its environment, and the command that starts it. */
  private record Setting(Map<String, String> environment, List<String> startedBy) {}

  private PostgresNode(Path data, int port, Setting setting) {
    this.data = data;
    this.port = port;
    this.setting = setting;
  }

  /** A new server in this folder, started. */
  public static PostgresNode start(Path data) {
    return start(data, Map.of());
  }

  public static PostgresNode start(Path data, Map<String, String> environment) {
    // PostgreSQL refuses to run as root; in a user namespace it runs as the user "nobody".
    List<String> asNobody = IS_ROOT ? List.of("unshare", "-U") : List.of();
    return start(data, new Setting(environment, asNobody));
  }

  /** Starts a server that sees this disk; the disk disappears with the server. */
  static PostgresNode start(Path data, SmallDisk disk) {
    return start(data, new Setting(Map.of(), disk.command()));
  }

  private static PostgresNode start(Path data, Setting setting) {
    copy(Original.INSTANCE.data(), data);
    for (int left = MOST_PORTS_TRIED; true; left--) {
      PostgresNode node = new PostgresNode(data, freePort(), setting);
      try {
        node.start();
        return node;
      } catch (IllegalStateException e) {
        // Another process has bound it since it was found free.
        if (left == 0 || !String.valueOf(e.getMessage()).contains("Address already in use")) {
          throw e;
        }
      }
    }
  }

  /**
   * A second server from a copy of this one's files, which must be stopped; the copy is not
   * started.
   */
  public PostgresNode copyAtRest(Path other) {
    if (server.isPresent()) {
      throw new IllegalStateException("files are copied while the server is down");
    }
    copy(data, other);
    return new PostgresNode(other, freePort(), setting);
  }

  /** Replaces this server's files with a copy's, as when a backup is restored. */
  public void restore(PostgresNode backup) {
    if (server.isPresent()) {
      throw new IllegalStateException("a backup is restored while the server is down");
    }
    delete(data);
    copy(backup.data, data);
  }

  /** A setting for the next start. */
  public void set(String name, String value) {
    settings.add("-c");
    settings.add(name + "=" + value);
  }

  public void follow(PostgresNode primary) {
    try {
      Files.createFile(data.resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    set("primary_conninfo", "host=127.0.0.1 user=postgres port=" + primary.port);
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  public int port() {
    return port;
  }

  public Database database() {
    return new Database(url());
  }

  /** How long the store still refuses this key to others, by its own clock. */
  public long leftMillis(String key) {
    return database()
        .query(
            row -> row.getLong(1),
            "SELECT expires_at - (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
                + " FROM leasehold_lease WHERE key = ?",
            key)
        .getFirst();
  }

  /** How many records it has of this key. */
  int leases(String key) {
    return database()
        .query(row -> row.getInt(1), "SELECT count(*) FROM leasehold_lease WHERE key = ?", key)
        .getFirst();
  }

  /** Returns once it takes connections. */
  public void start() {
    List<String> command = new ArrayList<>(setting.startedBy);
    command.addAll(List.of(Original.INSTANCE.postgres().toString(), "-D", data.toString()));
    command.addAll(List.of("-p", Integer.toString(port), "-h", "127.0.0.1", "-k", ""));
    for (String setting : List.of("fsync=on", "full_page_writes=on", "max_connections=60")) {
      command.addAll(List.of("-c", setting));
    }
    command.addAll(settings);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    builder.environment().putAll(setting.environment);
    try {
      Process process = builder.start();
      server = Optional.of(process);
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      awaitReady(process);
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL could not be started", e);
    }
  }

  private static void awaitReady(Process process) {
    CompletableFuture<String> ready = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> follow(process, ready));
    try {
      String said = ready.get(START_SECONDS, TimeUnit.SECONDS);
      if (!said.contains("is ready to accept")) {
        throw new IllegalStateException("PostgreSQL did not start:\n" + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL starts", e);
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException("PostgreSQL did not start", e);
    }
  }

  /** Continues to read after the server is ready, because a full pipe would stop it. */
  private static void follow(Process process, CompletableFuture<String> ready) {
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!ready.isDone()) {
          said.append(line).append('\n');
        }
        if (line.contains("is ready to accept")) {
          ready.complete(line);
        }
      }
      ready.complete(said.toString());
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  public boolean isDown() {
    return server.isEmpty();
  }

  /** Every process of the server. */
  public List<ProcessHandle> processes() {
    ProcessHandle postmaster = server.orElseThrow().toHandle();
    return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
  }

  /** SIGKILL of all its processes. */
  public void kill() {
    Signals.kill(processes());
    server = Optional.empty();
  }

  /** SIGINT: a fast shutdown, whose files can be copied. */
  public void shutDown() {
    Process process = server.orElseThrow();
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL ends", e);
    }
    server = Optional.empty();
  }

  @Override
  public void close() {
    if (server.isPresent()) {
      kill();
    }
    delete(data);
  }

  /**
   * Below those that clients are given, and given to no other server of this process: so none of
   * them has it when the server comes back.
   */
  private static synchronized int freePort() {
    for (int attempt = 0; ; attempt++) {
      int port = FIRST_PORT + RANDOM.nextInt(PORTS);
      if (!GIVEN_PORTS.add(port)) {
        continue;
      }
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        if (attempt == 100) {
          throw new UncheckedIOException("no port is free", e);
        }
      }
    }
  }

  private static void copy(Path from, Path to) {
    try {
      int status = new ProcessBuilder("cp", "-a", from.toString(), to.toString()).start().waitFor();
      if (status != 0) {
        throw new IllegalStateException(from + " could not be copied to " + to);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while copying", e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.getLogger(PostgresNode.class.getName())
          .log(System.Logger.Level.WARNING, folder + " could not be deleted", e);
    }
  }
}
