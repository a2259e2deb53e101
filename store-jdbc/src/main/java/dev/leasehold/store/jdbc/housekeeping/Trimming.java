package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;

/**
 * Forgets rows that were remembered for long enough, as those of requests are.
 *
 * @param statement deletes the rows of a page from before a time
 */
public record Trimming(String name, Paging paging, String statement, long keptMillis)
    implements Chore {
  @Override
  public Page page(StoreConnection connection, Page.Bounds bounds, long nowMillis)
      throws SQLException {
    return paging.find(connection, bounds);
  }

  @Override
  public int tidy(StoreConnection connection, Page page, long nowMillis) throws SQLException {
    return connection.update(statement, paging.values(List.of(), page, nowMillis - keptMillis));
  }
}
