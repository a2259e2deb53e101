package dev.leasehold.benchmarks.rivals;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A server's process with its own folder, which is deleted with it. */
final class ServerProcess implements AutoCloseable {
  /** Ports from 32,768 on are given to clients. */
  private static final AtomicInteger NEXT_PORT = new AtomicInteger(20_000);

  private static final int TRIES = 200;
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

  private final Process process;
  private final Path folder;

  private ServerProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  static Optional<Path> find(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(File.pathSeparator))
        .map(place -> Path.of(place, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static ServerProcess start(String program, String... arguments) throws IOException {
    Path folder = Files.createTempDirectory("leasehold-" + program);
    List<String> command = new ArrayList<>(List.of(find(program).orElseThrow().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    ServerProcess server = new ServerProcess(builder.start(), folder);
    Runtime.getRuntime().addShutdownHook(new Thread(server.process::destroyForcibly));
    return server;
  }

  static int freePort() throws IOException {
    for (int tried = 0; tried < TRIES; tried++) {
      int port = NEXT_PORT.getAndIncrement();
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (BindException e) {
        System.getLogger(ServerProcess.class.getName())
            .log(System.Logger.Level.DEBUG, "port " + port + " is taken", e);
      }
    }
    throw new IOException("no port is free");
  }

  void awaitPort(int port) throws IOException, InterruptedException {
    for (int tried = 0; tried < TRIES; tried++) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return;
      } catch (ConnectException e) {
        if (process.waitFor(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IOException(Files.readString(folder.resolve("log")), e);
        }
      }
    }
    throw new IOException("no server answers on port " + port);
  }

  @Override
  public void close() {
    Process unused = process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
