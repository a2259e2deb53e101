package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;

/**
 * Purges rows that users name: a chore that operators can also run with a limit.
 *
 * @param deadForMillis how long a row must have been dead; requests are remembered at least as long
 */
public record Purging(String name, DeadRows rows, Limits limits, long deadForMillis)
    implements Chore {
  @Override
  public Page page(StoreConnection connection, Page.Bounds bounds, long nowMillis)
      throws SQLException {
    return rows.paging().find(connection, bounds);
  }

  @Override
  public int tidy(StoreConnection connection, Page page, long nowMillis) throws SQLException {
    int forgotten = trim(connection, rows.remembered(), page, nowMillis - limits.memoryMillis());
    return forgotten + purge(connection, page, nowMillis, Integer.MAX_VALUE);
  }

  /** Purges at most this many rows of a page, in the caller's transaction; returns how many. */
  public int purge(StoreConnection connection, Page page, long nowMillis, int limit)
      throws SQLException {
    long deadMillis = Math.max(deadForMillis, limits.memoryMillis());
    int purged =
        rows.purge(connection, page, new DeadRows.PurgeRequest(nowMillis, deadMillis, limit));
    int unused = trim(connection, rows.leftovers(), page, nowMillis - deadMillis);
    return purged;
  }

  private int trim(StoreConnection connection, List<String> statements, Page page, long before)
      throws SQLException {
    int trimmed = 0;
    for (String statement : statements) {
      trimmed += connection.update(statement, rows.paging().values(List.of(), page, before));
    }
    return trimmed;
  }
}
