package dev.leasehold.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that drops every answer to a command, after or without executing it. */
final class DroppingServer implements AutoCloseable {
  private final URI behind;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  final AtomicInteger dropped = new AtomicInteger();
  volatile boolean passesOn = true;

  DroppingServer(URI behind) {
    this.behind = behind;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean reads = exchange.getRequestURI().getPath().endsWith("/read");
      HttpRequest.Builder request =
          HttpRequest.newBuilder(behind.resolve(exchange.getRequestURI()))
              .header("Content-Type", "application/json");
      byte[] question = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestMethod().equals("POST")) {
        request.POST(BodyPublishers.ofByteArray(question));
      }
      if (exchange.getRequestMethod().equals("POST") && !reads) {
        dropped.incrementAndGet();
        if (passesOn) {
          var unused = client.sendAsync(request.build(), BodyHandlers.discarding()).join();
        }
      } else {
        byte[] body = client.sendAsync(request.build(), BodyHandlers.ofByteArray()).join().body();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.shutdownNow();
  }
}
