package dev.leasehold.verification.engines;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stands between a client and a PostgreSQL server and forwards bytes. When the test tells it to, it
 * loses the request or the reply of a statement with a certain text in its parameters, and cuts the
 * connection, so that the client cannot know whether the statement took effect.
 */
public final class LossyProxy implements AutoCloseable {
  /** The fate of a request. */
  public enum Fate {
    /** The server never sees it. */
    REQUEST_LOST,
    /** The server sees it when {@link #deliverLate} is called; no client reads the reply. */
    REQUEST_LATE,
    /** It is carried out and committed, and the client gets no reply. */
    REPLY_LOST
  }

  /** ReadyForQuery, with no transaction open: whatever came before is committed. */
  private static final byte[] IDLE = {'Z', 0, 0, 0, 5, 'I'};

  private static final byte[] IN_TRANSACTION = {'Z', 0, 0, 0, 5, 'T'};

  private final int serverPort;
  private final ServerSocket listening;
  private final List<Relay> relays = new ArrayList<>();
  private final List<Relay> late = new ArrayList<>();
  private Optional<Plan> plan = Optional.empty();
  private int struck;

  private record Plan(String marker, Fate fate, int times) {}

  public LossyProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + listening.getLocalPort() + "/postgres?user=postgres";
  }

  /** From now on, this many requests that contain this text meet this fate. */
  public synchronized void strike(String marker, Fate fate, int times) {
    plan = Optional.of(new Plan(marker, fate, times));
  }

  /** Stops striking; returns how often it has struck in all. */
  public synchronized int relent() {
    plan = Optional.empty();
    return struck;
  }

  /** Sends the server the requests that were held back, and waits until it has handled them. */
  public void deliverLate() {
    List<Relay> held;
    synchronized (this) {
      held = List.copyOf(late);
      late.clear();
    }
    held.forEach(Relay::deliver);
  }

  private synchronized Optional<Fate> fateOf(byte[] request) {
    Optional<Plan> met =
        plan.filter(p -> contains(request, p.marker.getBytes(StandardCharsets.US_ASCII)));
    if (met.isEmpty()) {
      return Optional.empty();
    }
    Plan now = met.get();
    struck++;
    plan =
        now.times > 1
            ? Optional.of(new Plan(now.marker, now.fate, now.times - 1))
            : Optional.empty();
    return Optional.of(now.fate);
  }

  private static boolean contains(byte[] where, byte[] what) {
    for (int i = 0; i + what.length <= where.length; i++) {
      if (Arrays.equals(where, i, i + what.length, what, 0, what.length)) {
        return true;
      }
    }
    return false;
  }

  private static boolean endsWith(byte[] where, byte[] what) {
    int from = where.length - what.length;
    return from >= 0 && Arrays.equals(where, from, where.length, what, 0, what.length);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Relay relay = new Relay(client, new Socket(listening.getInetAddress(), serverPort));
        synchronized (this) {
          relays.add(relay);
        }
        relay.begin();
      } catch (IOException e) {
        debug("no connection was made", e);
      }
    }
  }

  private static void debug(String what, IOException e) {
    System.getLogger(LossyProxy.class.getName()).log(System.Logger.Level.DEBUG, what, e);
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      debug("the proxy could not be closed", e);
    }
    synchronized (this) {
      relays.forEach(Relay::cut);
    }
  }

  /** One connection. */
  private final class Relay {
    private final Socket client;
    private final Socket server;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean losing;
    private Optional<byte[]> kept = Optional.empty();

    Relay(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void begin() {
      Thread.ofVirtual().start(this::forwardRequests);
      Thread.ofVirtual().start(this::forwardReplies);
    }

    private void forwardRequests() {
      try {
        requests();
      } catch (IOException e) {
        debug("a client is gone", e);
      }
      if (kept.isEmpty()) {
        cut();
      }
    }

    private void requests() throws IOException {
      byte[] buffer = new byte[1 << 16];
      for (int n = client.getInputStream().read(buffer);
          n >= 0;
          n = client.getInputStream().read(buffer)) {
        byte[] request = Arrays.copyOf(buffer, n);
        Optional<Fate> fate = fateOf(request);
        losing = losing || fate.isPresent();
        if (fate.isEmpty() || fate.get() == Fate.REPLY_LOST) {
          server.getOutputStream().write(request);
          continue;
        }
        if (fate.get() == Fate.REQUEST_LATE) {
          keep(request);
        }
        client.close();
        return;
      }
    }

    private void keep(byte[] request) {
      synchronized (LossyProxy.this) {
        kept = Optional.of(request);
        late.add(this);
      }
    }

    /** Returns when the server has answered. */
    void deliver() {
      try {
        server.getOutputStream().write(kept.orElseThrow());
        over.get(1, TimeUnit.MINUTES);
      } catch (IOException e) {
        debug("what was late could not be delivered", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException("the server does not answer", e);
      }
    }

    private void forwardReplies() {
      try {
        replies();
      } catch (IOException e) {
        debug("a server is gone", e);
      }
      cut();
      over.complete(null);
    }

    private void replies() throws IOException {
      byte[] buffer = new byte[1 << 16];
      ByteArrayOutputStream reply = new ByteArrayOutputStream();
      for (int n = server.getInputStream().read(buffer);
          n >= 0;
          n = server.getInputStream().read(buffer)) {
        if (!losing) {
          client.getOutputStream().write(buffer, 0, n);
          continue;
        }
        reply.write(buffer, 0, n);
        if (endsWith(reply.toByteArray(), IDLE)) {
          return;
        }
        if (endsWith(reply.toByteArray(), IN_TRANSACTION)) {
          client.getOutputStream().write(reply.toByteArray());
          reply.reset();
        }
      }
    }

    void cut() {
      try (client;
          server) {
        losing = true;
      } catch (IOException e) {
        debug("a connection could not be closed", e);
      }
    }
  }
}
