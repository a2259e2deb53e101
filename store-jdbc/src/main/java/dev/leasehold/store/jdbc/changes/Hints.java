package dev.leasehold.store.jdbc.changes;

import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Dialect.ChangeTravel;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Announces changes: at once to the watchers in this process, and to other processes by
 * notifications (PostgreSQL) or by a table that they read (SQLite, CockroachDB).
 */
public final class Hints implements AutoCloseable {
  /** Shorter than a lane's, so that a lost probe ends with an answer, not a failure. */
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration PROBE_WAIT = Duration.ofMillis(250);
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final ChangeTravel travel;
  private final Connector connector;
  private final ChangeLines lines = new ChangeLines();
  private final List<Feed<?>> feeds = new CopyOnWriteArrayList<>();
  private final Outbox outbox;
  private final Listening listening;

  public Hints(Dialect dialect, Connector connector) {
    this.travel = dialect.changeTravel();
    this.connector = connector;
    this.outbox =
        new Outbox(
            new ConnectionSource.Pooled(connector),
            lines,
            travel == ChangeTravel.WITH_COMMITS ? SequenceCursor::post : Notifications::post);
    this.listening = new Listening(connector, source(WAIT), lines, new Everybody());
  }

  /** The watchers in this process, of every kind. */
  private final class Everybody implements Listening.Audience {
    @Override
    public boolean isEmpty() {
      return feeds.stream().allMatch(feed -> feed.watchers.isEmpty());
    }

    @Override
    public void tell(ChangeLines.Changes changes) {
      feeds.forEach(feed -> feed.heard(changes));
    }

    @Override
    public void reset() {
      feeds.forEach(feed -> feed.watchers.reset());
    }
  }

  /** The changes of one kind. */
  public final class Feed<C> {
    private final ChangeKind<C> kind;
    private final ChangeFeed<C> watchers;

    private Feed(ChangeKind<C> kind) {
      this.kind = kind;
      this.watchers = new ChangeFeed<>(kind::concerns);
    }

    /** The first watch starts the listening to other processes, in the background. */
    public Subscription watch(String topic, ChangeListener<C> listener) {
      Subscription watch = watchers.add(topic, listener);
      listening.start();
      return watch;
    }

    /** Tells the watchers here and, unless no other process listened, those in other processes. */
    public void tell(List<? extends Committed<C>> settled) {
      watchers.tell(Committed.changes(settled));
      List<C> heard = Committed.changes(settled.stream().filter(one -> !one.isUnheard()).toList());
      // In a file, the other processes find the changes already.
      if (travel != ChangeTravel.WITH_COMMITS && !heard.isEmpty()) {
        outbox.send(kind, heard);
      }
    }

    private void heard(ChangeLines.Changes changes) {
      watchers.tell(changes.of(kind));
    }
  }

  private ChangeSource source(Duration wait) {
    return switch (travel) {
      case WITH_COMMITS -> new SequenceCursor();
      case BY_NOTIFICATION -> new Notifications(wait);
      case BY_TIME -> new TimeCursor();
    };
  }

  /** The text form of this store's changes. */
  public ChangeLines lines() {
    return lines;
  }

  /** Called once for each kind, before the first watch. */
  public <C> Feed<C> open(ChangeKind<C> kind) {
    lines.with(kind);
    Feed<C> feed = new Feed<>(kind);
    feeds.add(feed);
    return feed;
  }

  /** Tells all watchers, here and in other processes, to read again. */
  public void reset() {
    feeds.forEach(feed -> feed.watchers.reset());
    outbox.sendReset();
  }

  /**
   * Whether other processes really receive what this one sends: sends a probe and listens for it on
   * another connection. Some poolers between a process and PostgreSQL swallow notifications.
   */
  public boolean deliver() throws SQLException {
    ChangeSource source = source(PROBE_WAIT);
    String probe = lines.probe(UUID.randomUUID());
    long deadline = Ticker.system().nanos() + PROBE_TIMEOUT.toNanos();
    StoreConnection connection = connector.connect();
    try {
      source.start(connection);
      outbox.post(List.of(probe));
      while (Ticker.system().nanos() < deadline) {
        if (source.next(connection).contains(new ChangeSource.Text(probe))) {
          return true;
        }
        LockSupport.parkNanos(Duration.ofMillis(source.pollMillis()).toNanos());
      }
      return false;
    } finally {
      source.drop(connection);
      connection.closeQuietly();
    }
  }

  @Override
  public void close() {
    listening.close();
    outbox.close();
  }
}
