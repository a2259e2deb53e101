package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Dialect.ChangeTravel;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Removes rows that no command can need again: those that the chores name, and change hints that
 * every process has read. It goes page by page in the order of primary keys, each page in a short
 * transaction that also records where it ended.
 */
public final class Housekeeping {
  /** Far longer than a process needs to read them. */
  private static final long CHANGES_KEPT_MILLIS = Duration.ofMinutes(2).toMillis();

  /** The number of rows that {@code trim-changes.sql} deletes. */
  private static final int CHANGES_PAGE = 1_000;

  private final Dialect dialect;
  private final Transacting transactions;
  private final Ticker ticker;
  private final List<Chore> chores;
  private final Map<Chore, PageSize> sizes = new ConcurrentHashMap<>();

  /** How a page's transaction is run without delaying the store's commands. */
  public interface Transacting {
    <T> T run(ConnectionWork<T> work) throws SQLException;
  }

  /** On the queue of all writes to a file. */
  public record OnWriteQueue(Engine engine) implements Transacting {
    @Override
    public <T> T run(ConnectionWork<T> work) throws SQLException {
      try {
        return engine.change(transactions -> transactions.run(work)).toCompletableFuture().join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e);
      }
    }
  }

  /** On connections of its own. */
  public record OnOwnConnections(ConnectionSource connections, Backoff backoff)
      implements Transacting {
    @Override
    public <T> T run(ConnectionWork<T> work) throws SQLException {
      return new Attempts(connections, backoff).run(connection -> connection.inTransaction(work));
    }
  }

  public Housekeeping(Dialect dialect, Transacting transactions, List<Chore> chores) {
    this.dialect = dialect;
    this.transactions = transactions;
    this.ticker = Ticker.system();
    this.chores = List.copyOf(chores);
  }

  /**
   * The result of a page.
   *
   * @param page the rows that were examined
   * @param rows the most rows that it could have
   * @param pauseNanos how long to let other writers in before the next page
   */
  public record PageResult(Page page, int rows, int removed, long pauseNanos) {
    /** A page was worth reading if at least one row in this many was removed. */
    private static final int ROWS_FOR_ONE = 10;

    public Place next() {
      return page.next();
    }

    boolean isIdle() {
      return page.full() ? removed < rows / ROWS_FOR_ONE : removed == 0;
    }

    private PageResult pausing(long nanos) {
      return new PageResult(page, rows, removed, nanos);
    }
  }

  /** Another process has the housekeeping lease now, and has already begun. */
  public static final class Superseded extends SQLException {
    private static final long serialVersionUID = 1L;

    Superseded() {
      super("another process tidies this store by now");
    }
  }

  public List<Chore> chores() {
    return chores;
  }

  public static boolean isEnd(Place place) {
    return place.bucket() >= Buckets.COUNT;
  }

  public static long clock(StoreConnection connection) throws SQLException {
    return connection.number("clock");
  }

  /** Sets the limits of a transaction on a server, as its first statement. */
  public static void bound(StoreConnection connection) throws SQLException {
    if (!connection.dialect().hasOneWriter()) {
      connection.update("bound-tidying");
    }
  }

  /** The places that the last process reached. */
  public Map<String, Place> places() throws SQLException {
    return transactions.run(
        connection -> {
          Map<String, Place> places = new HashMap<>();
          connection.each(row -> places.put(row.getString(1), Place.read(row, 2)), "places");
          return places;
        });
  }

  /**
   * Tidies the page after this place, and records the new place if rows were removed.
   *
   * @param token of the housekeeping lease
   * @throws Superseded if a process with a higher token has been here; then nothing was removed
   */
  public PageResult tidy(Chore chore, Place after, Token token) throws SQLException {
    return inPage(
        chore,
        connection -> {
          PageResult done = page(connection, chore, after);
          if (done.removed() > 0) {
            move(connection, chore, done.next(), token);
          }
          return done;
        });
  }

  /** Records the place from which to continue. */
  public void move(Chore chore, Place place, Token token) throws SQLException {
    boolean unused =
        transactions.run(
            connection -> {
              bound(connection);
              move(connection, chore, place, token);
              return true;
            });
  }

  private static void move(StoreConnection connection, Chore chore, Place place, Token token)
      throws SQLException {
    Place kept = isEnd(place) ? Place.START : place;
    int moved =
        connection.update(
            "move-place",
            chore.name(),
            token.value(),
            kept.bucket(),
            kept.name(),
            kept.part(),
            kept.request(),
            kept.number());
    if (moved == 0) {
      throw new Superseded();
    }
  }

  private PageResult page(StoreConnection connection, Chore chore, Place after)
      throws SQLException {
    bound(connection);
    long now = clock(connection);
    Page.Bounds bounds = size(chore).after(after);
    Page page = chore.page(connection, bounds, now);
    return new PageResult(page, bounds.rows(), chore.tidy(connection, page, now), 0);
  }

  /**
   * A file has one writer at a time, so the loop pauses as long as the page took, to let others
   * write.
   */
  private PageResult inPage(Chore chore, ConnectionWork<PageResult> work) throws SQLException {
    long begunNanos = ticker.nanos();
    try {
      PageResult done = transactions.run(work);
      long tookNanos = ticker.nanos() - begunNanos;
      size(chore).took(tookNanos, done.page().full());
      return dialect.hasOneWriter() ? done.pausing(tookNanos) : done;
    } catch (SQLException e) {
      size(chore).shrink();
      throw e;
    }
  }

  private PageSize size(Chore chore) {
    return sizes.computeIfAbsent(chore, unused -> new PageSize());
  }

  /** Where other processes are told of changes by a table. */
  long trimChanges() throws SQLException {
    if (dialect.changeTravel() == ChangeTravel.BY_NOTIFICATION) {
      return 0;
    }
    long removed = 0;
    int page;
    do {
      page =
          transactions.run(
              connection -> {
                bound(connection);
                return connection.update("trim-changes", clock(connection) - CHANGES_KEPT_MILLIS);
              });
      removed += page;
    } while (page == CHANGES_PAGE);
    return removed;
  }

  /**
   * Tidies everything from the first row to the last, for an operator; returns how many rows were
   * removed.
   */
  public long tidyAll() throws SQLException {
    long removed = trimChanges();
    for (Chore chore : chores) {
      Place place = Place.START;
      while (!isEnd(place)) {
        Place after = place;
        PageResult done = inPage(chore, connection -> page(connection, chore, after));
        removed += done.removed();
        place = done.next();
      }
    }
    return removed;
  }
}
