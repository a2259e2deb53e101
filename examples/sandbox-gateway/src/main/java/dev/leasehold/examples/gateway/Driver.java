package dev.leasehold.examples.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.http.FenceFilter;
import dev.leasehold.fence.http.SealHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Simulates a driver of sandboxes: each is up after a moment. A sandbox with the image {@code
 * broken} fails instead, and one with {@code lossy} is forgotten a little later without an event.
 *
 * <p>Any client may read ({@code /backends/ID}, {@code /events}); changes ({@code /changes/ID})
 * need the reconciler's claim, and a claim of a superseded term is refused.
 */
final class Driver implements AutoCloseable {
  static final LeaseKey RECONCILER = LeaseKey.of("leader", "reconciler");

  private final Map<String, State> backends = new ConcurrentHashMap<>();
  private final List<BlockingQueue<String>> watchers = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("driver").factory());
  private final HttpServer server;
  private final Duration pace;
  private final Wire wire;

  /** The state of a sandbox in the driver. */
  enum State {
    STARTING,
    READY,
    FAILED
  }

  /** Carries the driver's answer about a sandbox to the client; a test can delay it. */
  @FunctionalInterface
  interface Wire {
    void carry(String id, Optional<State> found, String asker) throws InterruptedException;
  }

  private Driver(HttpServer server, Duration pace, Wire wire) {
    this.server = server;
    this.pace = pace;
    this.wire = wire;
  }

  /** Serves on a port, or on any if 0; each step of a sandbox takes this long. */
  static Driver start(int port, Duration pace, Wire wire) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    Driver driver = new Driver(server, pace, wire);
    // The protected state lives only as long as this process, so its mark may too.
    MemoryFence fence = new MemoryFence("driver", new RefusalTrail(InstantSource.system()));
    server.createContext("/backends/", driver::look);
    server.createContext("/events", driver::tell);
    server
        .createContext("/changes/", driver::change)
        .getFilters()
        .add(FenceFilter.around(fence, RECONCILER));
    server.createContext("/seal", new SealHandler(fence, RECONCILER));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return driver;
  }

  public static void main(String[] arguments) throws IOException {
    int port = arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]);
    Driver driver = start(port, Duration.ofSeconds(1), (id, found, asker) -> {});
    System.out.println("driver on port " + driver.port());
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Loses a sandbox, without an event. */
  void forget(String id) {
    backends.remove(id);
  }

  /** Finds the sandbox again. */
  void recall(String id) {
    backends.put(id, State.READY);
  }

  private void look(HttpExchange exchange) throws IOException {
    String id = Http.lastPart(exchange);
    if (id.isEmpty()) {
      Http.answer(
          exchange,
          200,
          backends.entrySet().stream()
              .map(entry -> entry.getKey() + " " + entry.getValue() + "\n")
              .collect(Collectors.joining()));
      return;
    }
    Optional<State> found = Optional.ofNullable(backends.get(id));
    try {
      wire.carry(id, found, String.valueOf(exchange.getRequestHeaders().getFirst("User-Agent")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Http.answer(exchange, found.isEmpty() ? 404 : 200, found.map(State::toString).orElse(""));
  }

  private void change(HttpExchange exchange) throws IOException {
    String id = Http.lastPart(exchange);
    switch (exchange.getRequestMethod()) {
      case "PUT" -> {
        String image = Http.body(exchange);
        if (backends.putIfAbsent(id, State.STARTING) == null) {
          later(1, () -> started(id, image));
        }
        Http.answer(exchange, 202, "");
      }
      case "DELETE" -> {
        later(1, () -> gone(id));
        Http.answer(exchange, 202, "");
      }
      default -> Http.answer(exchange, 405, "");
    }
  }

  private void started(String id, String image) {
    backends.replace(id, State.STARTING, image.equals("broken") ? State.FAILED : State.READY);
    watchers.forEach(watcher -> watcher.add(id));
    if (image.equals("lossy")) {
      later(3, () -> forget(id));
    }
  }

  private void gone(String id) {
    backends.remove(id);
    watchers.forEach(watcher -> watcher.add(id));
  }

  private void later(int steps, Runnable step) {
    var unused = timer.schedule(step, pace.toMillis() * steps, TimeUnit.MILLISECONDS);
  }

  /**
   * Writes a line with the id of each sandbox that changes, and an empty line from time to time.
   */
  private void tell(HttpExchange exchange) throws IOException {
    BlockingQueue<String> watcher = new LinkedBlockingQueue<>(List.of(""));
    watchers.add(watcher);
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      while (true) {
        String line = watcher.poll(1, TimeUnit.SECONDS);
        out.write(((line == null ? "" : line) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watchers.remove(watcher);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    timer.shutdownNow();
  }
}
