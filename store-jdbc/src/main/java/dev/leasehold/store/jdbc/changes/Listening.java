package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Hears changes of other processes and tells the watchers of this one. It has a thread and a
 * connection of its own, from the first watch on. After each (re)connect it tells a reset, because
 * changes may have been missed.
 */
final class Listening implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Listening.class.getName());
  private static final long FIRST_RETRY_MILLIS = 50;
  private static final int DOUBLINGS = 6;

  private final Connector connector;
  private final ChangeSource source;
  private final ChangeLines lines;
  private final Audience audience;
  private final CountDownLatch closed = new CountDownLatch(1);
  private Optional<Thread> thread = Optional.empty();
  private Optional<StoreConnection> listening = Optional.empty();

  /** The watchers of this process. */
  interface Audience {
    /** Whether there are no watchers. */
    boolean isEmpty();

    void tell(ChangeLines.Changes changes);

    void reset();
  }

  Listening(Connector connector, ChangeSource source, ChangeLines lines, Audience audience) {
    this.connector = connector;
    this.source = source;
    this.lines = lines;
    this.audience = audience;
  }

  /** Only the first call has an effect, and it does not wait. */
  synchronized void start() {
    if (thread.isEmpty() && !isClosed()) {
      thread =
          Optional.of(Thread.ofPlatform().daemon().name("leasehold-listener").start(this::run));
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void run() {
    int failures = 0;
    while (!isClosed()) {
      try {
        StoreConnection connection = connector.connect();
        try {
          source.start(connection);
          failures = 0;
          hear(connection);
        } finally {
          source.drop(connection);
          connection.closeQuietly();
        }
      } catch (SQLException | RuntimeException e) {
        if (!isClosed()) {
          LOG.log(Level.INFO, "other processes are not heard for a moment: " + e.getMessage());
          pause(FIRST_RETRY_MILLIS << Math.min(failures++, DOUBLINGS));
        }
      }
    }
  }

  private void hear(StoreConnection connection) throws SQLException {
    if (!adopt(connection)) {
      return;
    }
    audience.reset();
    while (!isClosed()) {
      if (source.pollMillis() == 0 || !audience.isEmpty()) {
        source.next(connection).forEach(this::tell);
      }
      pause(source.pollMillis());
    }
  }

  /** Takes the connection, so that a close can end a wait on it; false if already closed. */
  private synchronized boolean adopt(StoreConnection connection) {
    listening = Optional.of(connection);
    return !isClosed();
  }

  private void tell(ChangeSource.Item item) {
    switch (item) {
      case ChangeSource.Gap gap -> audience.reset();
      case ChangeSource.Text text -> {
        switch (lines.read(text.text())) {
          case ChangeLines.Changes changes -> audience.tell(changes);
          case ChangeLines.Reset reset -> audience.reset();
          case ChangeLines.Nothing nothing -> {}
        }
      }
    }
  }

  private void pause(long millis) {
    try {
      boolean unused = millis > 0 && closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed.countDown();
    }
  }

  @Override
  public void close() {
    Optional<Thread> running;
    synchronized (this) {
      closed.countDown();
      listening.ifPresent(source::drop);
      running = thread;
    }
    try {
      if (running.isPresent()) {
        boolean unused = running.get().join(Duration.ofSeconds(2));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
