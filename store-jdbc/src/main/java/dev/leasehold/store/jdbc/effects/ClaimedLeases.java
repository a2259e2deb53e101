package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases whose claims the commands of a batch bring, as checks of their tokens need them. No
 * grant of them ends before the batch's transaction does.
 */
public final class ClaimedLeases {
  private ClaimedLeases() {}

  /** On a server: locks them in one round trip, which also limits the brief transaction. */
  public static Map<LeaseKey, CurrentRow> lock(
      StoreConnection connection, Collection<LeaseKey> keys) throws SQLException {
    List<LeaseKey> asked = List.copyOf(keys);
    PreparedStatement statement = connection.prepare("open-claims");
    statement.setArray(1, connection.array("int4", asked, Buckets::of));
    statement.setArray(2, connection.array("text", asked, LeaseKey::text));
    Map<LeaseKey, CurrentRow> found = new HashMap<>();
    try (ResultSet row = StoreConnection.firstAnswer(statement)) {
      while (row.next()) {
        found.put(asked.get((int) row.getLong(9) - 1), CurrentRow.readHere(row));
      }
    }
    return found;
  }

  /** On a file: reads them in a transaction that has the write lock. */
  public static Map<LeaseKey, CurrentRow> read(
      StoreConnection connection, Collection<LeaseKey> keys) throws SQLException {
    Map<LeaseKey, CurrentRow> found = new HashMap<>();
    for (LeaseKey key : keys) {
      int bucket = Buckets.of(key);
      found.put(
          key, connection.query(CurrentRow::read, "check-current", bucket, key.text(), bucket));
    }
    return found;
  }
}
