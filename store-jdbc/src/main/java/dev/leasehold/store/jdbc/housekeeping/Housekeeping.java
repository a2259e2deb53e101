package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Removes rows that no command can need again: those that the chores name, and change hints that
 * every process has read. Page by page in the order of primary keys, each page in a short
 * transaction that also writes down where it ended.
 */
public final class Housekeeping {
  /** Far longer than a process needs to read them. */
  private static final long CHANGES_KEPT_MILLIS = Duration.ofMinutes(2).toMillis();

  /** As many as {@code trim-changes.sql} deletes. */
  private static final int CHANGES_PAGE = 1_000;

  private final Dialect dialect;
  private final Transacting transactions;
  private final Ticker ticker;
  private final List<Chore> chores;
  private final Map<Chore, PageSize> sizes = new ConcurrentHashMap<>();

  /** How a page's transaction is run: beside the store's commands, and not in their way. */
  public interface Transacting {
    <T> T run(Work<T> work) throws SQLException;
  }

  /** One after the other with whatever else is written to a file. */
  public record InLine(Engine engine) implements Transacting {
    @Override
    public <T> T run(Work<T> work) throws SQLException {
      try {
        return engine.change(transactions -> transactions.run(work)).toCompletableFuture().join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e);
      }
    }
  }

  /** On connections of its own. */
  public record Beside(Sessions sessions, Backoff backoff) implements Transacting {
    @Override
    public <T> T run(Work<T> work) throws SQLException {
      return new Attempts(sessions, backoff).run(session -> session.inTransaction(work));
    }
  }

  public Housekeeping(Dialect dialect, Transacting transactions, List<Chore> chores) {
    this.dialect = dialect;
    this.transactions = transactions;
    this.ticker = Ticker.system();
    this.chores = List.copyOf(chores);
  }

  /**
   * What a page came to.
   *
   * @param page the rows that were looked at
   * @param rows how many that were at the most
   * @param pauseNanos for how long others should be let in before the next
   */
  public record Tidied(Page page, int rows, int removed, long pauseNanos) {
    /** A page is worth its reading if one row in so many was removed. */
    private static final int ROWS_FOR_ONE = 10;

    public Place next() {
      return page.next();
    }

    boolean isIdle() {
      return page.full() ? removed < rows / ROWS_FOR_ONE : removed == 0;
    }

    private Tidied pausing(long nanos) {
      return new Tidied(page, rows, removed, nanos);
    }
  }

  /** The lease that decides who tidies has gone to another process, which has begun already. */
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

  public static long clock(Session session) throws SQLException {
    return session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
  }

  /** Bounds a transaction on a server; begins it. */
  public static void bound(Session session) throws SQLException {
    if (session.dialect() != Dialect.SQLITE) {
      session.update("bound-tidying");
    }
  }

  /** Where the last process that tidied has come to. */
  public Map<String, Place> places() throws SQLException {
    return transactions.run(
        session ->
            session.query(
                rows -> {
                  Map<String, Place> places = new HashMap<>();
                  while (rows.next()) {
                    places.put(
                        rows.getString(1),
                        new Place(
                            rows.getInt(2),
                            rows.getString(3),
                            rows.getString(4),
                            rows.getString(5),
                            rows.getLong(6)));
                  }
                  return places;
                },
                "places"));
  }

  /**
   * Tidies the page after this place, and moves the place if something was removed.
   *
   * @param token of the lease that decides who tidies
   * @throws Superseded if a higher one was here before; then nothing was removed
   */
  public Tidied tidy(Chore chore, Place after, Token token) throws SQLException {
    return inPage(
        chore,
        session -> {
          Tidied done = page(session, chore, after);
          if (done.removed() > 0) {
            move(session, chore, done.next(), token);
          }
          return done;
        });
  }

  /** Writes down where to go on. */
  public void move(Chore chore, Place place, Token token) throws SQLException {
    boolean unused =
        transactions.run(
            session -> {
              bound(session);
              move(session, chore, place, token);
              return true;
            });
  }

  private static void move(Session session, Chore chore, Place place, Token token)
      throws SQLException {
    Place kept = isEnd(place) ? Place.START : place;
    int moved =
        session.update(
            "move-place",
            token.value(),
            kept.bucket(),
            kept.name(),
            kept.part(),
            kept.request(),
            kept.number(),
            chore.name(),
            token.value());
    if (moved == 0) {
      throw new Superseded();
    }
  }

  private Tidied page(Session session, Chore chore, Place after) throws SQLException {
    bound(session);
    long now = clock(session);
    Page.Bounds bounds = size(chore).after(after);
    Page page = chore.page(session, bounds, now);
    return new Tidied(page, bounds.rows(), chore.tidy(session, page, now), 0);
  }

  /** A file has one writer at a time: as long as the page was one, others are let in. */
  private Tidied inPage(Chore chore, Work<Tidied> work) throws SQLException {
    long begunNanos = ticker.nanos();
    try {
      Tidied done = transactions.run(work);
      long tookNanos = ticker.nanos() - begunNanos;
      size(chore).took(tookNanos, done.page().full());
      return dialect == Dialect.SQLITE ? done.pausing(tookNanos) : done;
    } catch (SQLException e) {
      size(chore).shrink();
      throw e;
    }
  }

  private PageSize size(Chore chore) {
    return sizes.computeIfAbsent(chore, unused -> new PageSize());
  }

  /** PostgreSQL tells other processes of changes without a table. */
  long trimChanges() throws SQLException {
    if (dialect == Dialect.POSTGRESQL) {
      return 0;
    }
    long removed = 0;
    int page;
    do {
      page =
          transactions.run(
              session -> {
                bound(session);
                return session.update("trim-changes", clock(session) - CHANGES_KEPT_MILLIS);
              });
      removed += page;
    } while (page == CHANGES_PAGE);
    return removed;
  }

  /** All of it from the first row to the last, by hand; returns how many rows were removed. */
  public long tidyAll() throws SQLException {
    long removed = trimChanges();
    for (Chore chore : chores) {
      Place place = Place.START;
      while (!isEnd(place)) {
        Place after = place;
        Tidied done = inPage(chore, session -> page(session, chore, after));
        removed += done.removed();
        place = done.next();
      }
    }
    return removed;
  }
}
