package dev.leasehold.store.jdbc.health;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.QueryBatch;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a process asks its database again and again: the questions of all blocks, in one trip on a
 * server. An answer is as old as the time since it was asked for, and not since it came.
 *
 * <p>Questions may be added at any time, by any thread; they are asked by one.
 */
public final class Poll {
  private static final System.Logger LOG = System.getLogger(Poll.class.getName());

  private final Ticker ticker;
  private final List<Query> queries = new CopyOnWriteArrayList<>();

  public Poll(Ticker ticker) {
    this.ticker = ticker;
  }

  /** A statement that reads, and the reader of its answer. */
  public interface Query {
    String statement();

    /** Its parameters, as they are when it is asked. */
    default List<Object> values(StoreConnection connection) throws SQLException {
      return List.of();
    }

    void answered(ResultSet rows, Times times) throws SQLException;
  }

  /** When the question was sent, and when all answers had come. */
  public record Times(long sentNanos, long receivedNanos) {}

  public Poll with(Query query) {
    queries.add(query);
    return this;
  }

  /** A question that the database refuses keeps no other from being answered. */
  public void ask(StoreConnection connection) throws SQLException {
    List<Query> asked = List.copyOf(queries);
    try {
      ask(connection, asked);
    } catch (SQLException e) {
      if (Failures.of(e) != Failures.REFUSED || asked.size() == 1) {
        throw e;
      }
      LOG.log(Level.DEBUG, "questions are asked one by one, since one was refused", e);
      for (Query query : asked) {
        askAlone(connection, query);
      }
    }
  }

  private void askAlone(StoreConnection connection, Query query) throws SQLException {
    try {
      ask(connection, List.of(query));
    } catch (SQLException e) {
      if (Failures.of(e) != Failures.REFUSED) {
        throw e;
      }
      LOG.log(Level.WARNING, "the question " + query.statement() + " was refused", e);
    }
  }

  private void ask(StoreConnection connection, List<Query> asked) throws SQLException {
    long sentNanos = ticker.nanos();
    QueryBatch together = connection.together();
    for (Query query : asked) {
      together.add(
          rows -> query.answered(rows, new Times(sentNanos, ticker.nanos())),
          query.statement(),
          query.values(connection).toArray());
    }
    together.send();
  }
}
