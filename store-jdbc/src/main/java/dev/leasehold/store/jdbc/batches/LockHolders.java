package dev.leasehold.store.jdbc.batches;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.util.List;

/** Which backends have rows locked, as a database tells that does. */
public final class LockHolders {
  private LockHolders() {}

  /**
   * Runs a statement that only reads and waits for no lock. The holder with the oldest transaction
   * comes first.
   */
  public static List<LockHolder> find(
      StoreConnection connection, String statement, Object... values) throws SQLException {
    return connection.list(
        row -> new LockHolder(row.getLong(1), row.getLong(2), row.getString(3), row.getString(4)),
        statement,
        values);
  }
}
