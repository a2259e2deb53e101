package dev.leasehold.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in front of the PostgreSQL server and forwards bytes. On command it fails a connection at
 * the next request that contains a certain text; the server never sees that request.
 */
final class FailingProxy implements AutoCloseable {
  /** How a connection fails. */
  enum Failure {
    /** It breaks, and the client notices. */
    CUT,
    /** It stays open, but nothing passes through it any more. */
    SILENT
  }

  private record Plan(String marker, Failure failure, CompletableFuture<Void> met) {}

  private final ServerSocket listening;
  private final List<Socket> sockets = new ArrayList<>();
  private Optional<Plan> plan = Optional.empty();
  private final AtomicInteger turnedAway = new AtomicInteger();
  private volatile boolean allSilent;
  private volatile boolean away;

  FailingProxy() {
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    URI server = server(PostgresServer.url());
    Thread.ofVirtual().start(() -> accept(server));
  }

  /** The same database, by way of this proxy. */
  String through(String url) {
    String authority = server(url).getAuthority();
    return url.replace(authority, "127.0.0.1:" + listening.getLocalPort());
  }

  private static URI server(String url) {
    return URI.create(url.substring("jdbc:".length()));
  }

  /** Completes once it has happened. */
  synchronized CompletableFuture<Void> failAt(String marker, Failure failure) {
    Plan next = new Plan(marker, failure, new CompletableFuture<>());
    plan = Optional.of(next);
    return next.met;
  }

  /** From here on nothing passes, on any connection. */
  void fallSilent() {
    allSilent = true;
  }

  /** As if there were no server: connections break, and new ones fail. */
  void goAway() {
    away = true;
    endAll();
  }

  void comeBack() {
    away = false;
  }

  /** How many new connections were refused. */
  int turnedAway() {
    return turnedAway.get();
  }

  private synchronized void endAll() {
    sockets.forEach(FailingProxy::end);
    sockets.clear();
  }

  private synchronized Optional<Failure> failureAt(String request) {
    Optional<Plan> met = plan.filter(p -> request.contains(p.marker));
    if (met.isPresent()) {
      plan = Optional.empty();
      met.get().met.complete(null);
    }
    return met.map(Plan::failure);
  }

  private void accept(URI server) {
    while (!listening.isClosed()) {
      try {
        Socket client = kept(listening.accept());
        if (away) {
          turnedAway.incrementAndGet();
          end(client);
          continue;
        }
        Socket upstream = kept(new Socket(server.getHost(), server.getPort()));
        Thread.ofVirtual().start(() -> forward(client, upstream, true));
        Thread.ofVirtual().start(() -> forward(upstream, client, false));
      } catch (IOException e) {
        debug("no connection was made", e);
      }
    }
  }

  private synchronized Socket kept(Socket socket) {
    sockets.add(socket);
    return socket;
  }

  /** A silent connection is left open; {@link #close} ends it. */
  private void forward(Socket from, Socket to, boolean requests) {
    boolean silent = false;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      int n = in.read(buffer);
      while (n >= 0) {
        String text = new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
        Optional<Failure> failure = requests ? failureAt(text) : Optional.empty();
        silent |= allSilent || failure.equals(Optional.of(Failure.SILENT));
        if (failure.equals(Optional.of(Failure.CUT))) {
          break;
        }
        if (!silent) {
          out.write(buffer, 0, n);
        }
        n = in.read(buffer);
      }
    } catch (IOException e) {
      debug("a connection broke", e);
    }
    end(from);
    end(to);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      debug("a connection could not be closed", e);
    }
  }

  private static void debug(String what, IOException e) {
    System.getLogger(FailingProxy.class.getName()).log(System.Logger.Level.DEBUG, what, e);
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      debug("the proxy could not be closed", e);
    }
    endAll();
  }
}
