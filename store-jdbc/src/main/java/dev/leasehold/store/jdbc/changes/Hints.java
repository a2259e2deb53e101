package dev.leasehold.store.jdbc.changes;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells of changes: at once to whoever watches in this process, and to the other processes by
 * notifications (PostgreSQL) or by a table that they read (SQLite, CockroachDB).
 */
public final class Hints implements AutoCloseable {
  /** Less than a lane's, which would make a failure of a probe that was not heard. */
  private static final Duration PROBE_PATIENCE = Duration.ofSeconds(3);

  private static final Duration PROBE_WAIT = Duration.ofMillis(250);
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Dialect dialect;
  private final Connector connector;
  private final ChangeLines lines = new ChangeLines();
  private final ChangeFeed<LeaseChange> watchers = new ChangeFeed<>(LeaseChange::isUnder);
  private final ChangeFeed<ObjectChange> objectWatchers = new ChangeFeed<>(ObjectChange::isOf);
  private final Outbox outbox;
  private final Listening listening;

  public Hints(Dialect dialect, Connector connector) {
    this.dialect = dialect;
    this.connector = connector;
    this.outbox =
        new Outbox(
            new Sessions.Pooled(connector),
            lines,
            dialect == Dialect.SQLITE ? SequenceCursor::post : Notifications::post);
    this.listening = new Listening(connector, source(WAIT), lines, new Everybody());
  }

  /** Whoever watches in this process. */
  private final class Everybody implements Listening.Audience {
    @Override
    public boolean isEmpty() {
      return watchers.isEmpty() && objectWatchers.isEmpty();
    }

    @Override
    public void tell(ChangeLines.Changes changes) {
      watchers.tell(changes.changes());
      objectWatchers.tell(changes.objects());
    }

    @Override
    public void reset() {
      watchers.reset();
      objectWatchers.reset();
    }
  }

  private ChangeSource source(Duration wait) {
    return switch (dialect) {
      case SQLITE -> new SequenceCursor();
      case POSTGRESQL -> new Notifications(wait);
      case COCKROACHDB -> new TimeCursor();
    };
  }

  /** How this store's changes are written down. */
  public ChangeLines lines() {
    return lines;
  }

  /** Listening to other processes begins with the first watch, in the background. */
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    Subscription watch = watchers.add(prefix, listener);
    listening.start();
    return watch;
  }

  public Subscription watchObjects(String type, ChangeListener<ObjectChange> listener) {
    Subscription watch = objectWatchers.add(type, listener);
    listening.start();
    return watch;
  }

  public void tellHereOfObjects(List<ObjectChange> changes) {
    objectWatchers.tell(changes);
  }

  /** On SQLite the other processes find them in the file already. */
  public void tellOthersOfObjects(List<ObjectChange> changes) {
    if (dialect != Dialect.SQLITE && !changes.isEmpty()) {
      outbox.sendObjects(changes);
    }
  }

  public void tellHere(List<LeaseChange> changes) {
    watchers.tell(changes);
  }

  /** On SQLite the other processes find them in the file already. */
  public void tellOthers(List<LeaseChange> changes) {
    if (dialect != Dialect.SQLITE && !changes.isEmpty()) {
      outbox.send(changes);
    }
  }

  /** Everybody, here and elsewhere, is to read again. */
  public void reset() {
    watchers.reset();
    objectWatchers.reset();
    outbox.sendReset();
  }

  /**
   * Whether other processes can really hear this one: sends something and listens for it on another
   * connection. Some poolers between a process and PostgreSQL swallow notifications.
   */
  public boolean deliver() throws SQLException {
    ChangeSource source = source(PROBE_WAIT);
    String probe = lines.probe(UUID.randomUUID());
    long deadline = Ticker.system().nanos() + PROBE_PATIENCE.toNanos();
    Session session = connector.connect();
    try {
      source.start(session);
      outbox.post(List.of(probe));
      while (Ticker.system().nanos() < deadline) {
        if (source.next(session).contains(new ChangeSource.Text(probe))) {
          return true;
        }
        LockSupport.parkNanos(Duration.ofMillis(source.pollMillis()).toNanos());
      }
      return false;
    } finally {
      source.drop(session);
      session.closeQuietly();
    }
  }

  @Override
  public void close() {
    listening.close();
    outbox.close();
  }
}
