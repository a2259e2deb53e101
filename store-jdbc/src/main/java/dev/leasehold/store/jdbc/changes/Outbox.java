package dev.leasehold.store.jdbc.changes;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Sends changes to the other processes, on a thread of its own: whatever came up while one
 * statement was on its way goes out with the next. Grants wait a little for what may follow them,
 * and what came before a grant of the same key is no news beside it. Nobody waits for any of this,
 * and what cannot be sent is dropped, since every waiter also holds a timer.
 */
final class Outbox implements AutoCloseable {
  /** Beyond that the others are told to read again, which is shorter. */
  static final int MAX_PENDING = 20_000;

  private static final long IDLE_SECONDS = 30;
  private static final System.Logger LOG = System.getLogger(Outbox.class.getName());
  private static final long CLOSING_SECONDS = 2;

  /** A key that is soon given back, or goes from hand to hand, is told of once. */
  private static final long LULL_MILLIS = 5;

  private final Sessions sessions;
  private final ChangeLines lines;
  private final Posting posting;
  private final ScheduledExecutorService thread;
  private List<LeaseChange> pending = new ArrayList<>();
  private List<ObjectChange> pendingObjects = new ArrayList<>();
  private boolean resetPending;

  /** Whether somebody may wait for what is pending. */
  private boolean urgent;

  private boolean running;
  private boolean lull;

  /** Writes texts to where the other processes find them. */
  interface Posting {
    void post(Session session, List<String> texts) throws SQLException;
  }

  Outbox(Sessions sessions, ChangeLines lines, Posting posting) {
    this.sessions = sessions;
    this.lines = lines;
    this.posting = posting;
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("leasehold-notifier-", 0).factory());
    pool.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    this.thread = pool;
  }

  synchronized void send(List<LeaseChange> changes) {
    if (pending.size() + changes.size() > MAX_PENDING) {
      sendReset();
    } else {
      pending.addAll(changes);
      urgent |= news(changes).stream().anyMatch(Outbox::mayFree);
      run();
    }
  }

  /** Of objects: whoever watches them wants to know at once. */
  synchronized void sendObjects(List<ObjectChange> changes) {
    if (pendingObjects.size() + changes.size() > MAX_PENDING) {
      sendReset();
    } else {
      pendingObjects.addAll(changes);
      urgent = true;
      run();
    }
  }

  private static boolean mayFree(LeaseChange change) {
    return switch (change.kind()) {
      case RELEASED, EXPIRED, REVOKED -> true;
      case GRANTED, SUPERSEDED -> false;
    };
  }

  synchronized void sendReset() {
    pending.clear();
    pendingObjects.clear();
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
        LOG.log(Level.DEBUG, "changes could not be told to other processes", e);
      }
      texts = take();
    }
  }

  /** At once, on the caller's thread. */
  void post(List<String> texts) throws SQLException {
    boolean unused =
        sessions.use(
            session -> {
              session.autoCommit(true);
              posting.post(session, texts);
              return true;
            });
  }

  /** All that is pending; unless that can wait: then whoever comes next starts the thread again. */
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
    texts.addAll(lines.texts(news(pending)));
    texts.addAll(lines.objectTexts(pendingObjects));
    pending = new ArrayList<>();
    pendingObjects = new ArrayList<>();
    resetPending = false;
    urgent = false;
    return texts;
  }

  /** Whoever hears that a key is held need not hear how it came to that. */
  static List<LeaseChange> news(List<LeaseChange> changes) {
    Map<LeaseKey, Token> granted = new HashMap<>();
    List<LeaseChange> news = new ArrayList<>();
    for (LeaseChange change : changes.reversed()) {
      Token later = granted.get(change.key());
      if (later == null || !later.isAbove(change.token())) {
        news.add(change);
      }
      if (change.kind() == LeaseChange.Kind.GRANTED) {
        granted.putIfAbsent(change.key(), change.token());
      }
    }
    return news.reversed();
  }

  /** What is pending is still sent, if the database answers. */
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
    sessions.close();
  }
}
