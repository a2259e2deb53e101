package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.LeaseChange;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Sends changes to the other processes, on a thread of its own: whatever came up while one
 * statement was on its way goes out with the next. Nobody waits for it, and what cannot be sent is
 * dropped, since every waiter also holds a timer.
 */
final class Outbox implements AutoCloseable {
  /** Beyond that the others are told to read again, which is shorter. */
  static final int MAX_PENDING = 20_000;

  private static final System.Logger LOG = System.getLogger(Outbox.class.getName());
  private static final long CLOSING_SECONDS = 2;

  private final Sessions sessions;
  private final ChangeLines lines;
  private final Posting posting;
  private final ExecutorService thread;
  private List<LeaseChange> pending = new ArrayList<>();
  private boolean resetPending;
  private boolean running;

  /** Writes texts to where the other processes find them. */
  interface Posting {
    void post(Session session, List<String> texts) throws SQLException;
  }

  Outbox(Sessions sessions, ChangeLines lines, Posting posting) {
    this.sessions = sessions;
    this.lines = lines;
    this.posting = posting;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("leasehold-notifier-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    this.thread = pool;
  }

  synchronized void send(List<LeaseChange> changes) {
    if (pending.size() + changes.size() > MAX_PENDING) {
      pending.clear();
      resetPending = true;
    } else {
      pending.addAll(changes);
    }
    run();
  }

  synchronized void sendReset() {
    pending.clear();
    resetPending = true;
    run();
  }

  private void run() {
    if (running || (pending.isEmpty() && !resetPending)) {
      return;
    }
    try {
      thread.execute(this::sendAll);
      running = true;
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the store is closed, and tells other processes nothing more", e);
    }
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

  /** All that is pending; where that is nothing, whoever comes next starts the thread again. */
  private synchronized List<String> take() {
    List<String> texts = new ArrayList<>();
    if (resetPending) {
      texts.add(lines.reset());
    }
    texts.addAll(lines.texts(pending));
    pending = new ArrayList<>();
    resetPending = false;
    running = !texts.isEmpty();
    return texts;
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
