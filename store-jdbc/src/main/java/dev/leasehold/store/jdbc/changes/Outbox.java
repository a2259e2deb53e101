package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Sends changes to other processes, on a thread of its own. Changes that arrive while a statement
 * is in flight go out with the next one, reduced to those that their kind still wants to send.
 * Changes that are not urgent wait a little for later ones. No caller waits for any of this. A
 * change that cannot be sent is dropped, because every waiter also has a timer.
 */
final class Outbox implements AutoCloseable {
  /** Beyond this the other processes are told to read again, which is shorter. */
  static final int MAX_PENDING = 20_000;

  private static final long IDLE_SECONDS = 30;
  private static final System.Logger LOG = System.getLogger(Outbox.class.getName());
  private static final long CLOSING_SECONDS = 2;

  /** How long changes that are not urgent wait for later ones. */
  private static final long LULL_MILLIS = 5;

  private final ConnectionSource connections;
  private final ChangeLines lines;
  private final Posting posting;
  private final ScheduledExecutorService thread;
  private final Map<ChangeKind<?>, Pending<?>> pending = new LinkedHashMap<>();
  private boolean resetPending;

  /** Whether another process may be waiting for a pending change. */
  private boolean urgent;

  private boolean running;
  private boolean lull;

  /** Writes texts where the other processes find them. */
  interface Posting {
    void post(StoreConnection connection, List<String> texts) throws SQLException;
  }

  Outbox(ConnectionSource connections, ChangeLines lines, Posting posting) {
    this.connections = connections;
    this.lines = lines;
    this.posting = posting;
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("leasehold-notifier-", 0).factory());
    pool.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    this.thread = pool;
  }

  /** The pending changes of one kind. */
  private static final class Pending<C> {
    private final ChangeKind<C> kind;
    private final List<C> changes = new ArrayList<>();

    Pending(ChangeKind<C> kind) {
      this.kind = kind;
    }

    List<String> texts(ChangeLines lines) {
      return lines.texts(kind, kind.news(changes));
    }
  }

  synchronized <C> void send(ChangeKind<C> kind, List<C> changes) {
    @SuppressWarnings("unchecked") // what is pending of a kind has its type
    Pending<C> ofKind = (Pending<C>) pending.computeIfAbsent(kind, k -> new Pending<>(kind));
    if (ofKind.changes.size() + changes.size() > MAX_PENDING) {
      sendReset();
    } else {
      ofKind.changes.addAll(changes);
      urgent |= kind.news(changes).stream().anyMatch(kind::isUrgent);
      run();
    }
  }

  synchronized void sendReset() {
    pending.clear();
    resetPending = true;
    urgent = true;
    run();
  }

  private void run() {
    try {
      if (urgent && !running) {
        thread.execute(this::sendAll);
        running = true;
      } else if (!urgent && !pending.isEmpty() && !lull) {
        var unused = thread.schedule(this::endLull, LULL_MILLIS, TimeUnit.MILLISECONDS);
        lull = true;
      }
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the store is closed, and tells other processes nothing more", e);
    }
  }

  private void endLull() {
    synchronized (this) {
      lull = false;
      urgent |= !pending.isEmpty();
      running |= urgent;
    }
    sendAll();
  }

  private void sendAll() {
    List<String> texts = take();
    while (!texts.isEmpty()) {
      try {
        post(texts);
      } catch (SQLException | RuntimeException e) {
        LOG.log(Level.DEBUG, "hints could not be sent to other processes", e);
      }
      texts = take();
    }
  }

  /** Sends at once, on the caller's thread. */
  void post(List<String> texts) throws SQLException {
    boolean unused =
        connections.use(
            connection -> {
              connection.autoCommit(true);
              posting.post(connection, texts);
              return true;
            });
  }

  /** Takes all pending changes if one is urgent; else the next change restarts the thread. */
  private synchronized List<String> take() {
    running = urgent;
    if (!urgent) {
      run();
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    if (resetPending) {
      texts.add(lines.reset());
    }
    pending.values().forEach(ofKind -> texts.addAll(ofKind.texts(lines)));
    pending.clear();
    resetPending = false;
    urgent = false;
    return texts;
  }

  /** Still sends what is pending, if the database answers. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
    connections.close();
  }
}
