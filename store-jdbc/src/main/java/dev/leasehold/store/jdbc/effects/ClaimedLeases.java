package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.QueryBatch;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The leases whose claims the commands of a batch bring, as checks of their tokens need them. */
public final class ClaimedLeases {
  private ClaimedLeases() {}

  /**
   * Keeps grants of these keys from ending before the transaction does. On a server this locks the
   * leases, together with what the batch has already; a file has the write lock.
   */
  public static Map<LeaseKey, CurrentRow> lock(
      StoreConnection connection, QueryBatch begun, List<LeaseKey> keys) throws SQLException {
    Map<LeaseKey, CurrentRow> found = new HashMap<>();
    if (connection.dialect().hasOneWriter()) {
      for (LeaseKey key : keys) {
        int bucket = Buckets.of(key);
        found.put(key, CurrentRow.find(connection, "check-current", bucket, key.text(), bucket));
      }
      return found;
    }
    begun
        .add(
            QueryBatch.Rows.each(
                row -> found.put(keys.get(row.getInt(9) - 1), CurrentRow.read(row))),
            "lock-claims",
            connection.columnsOf(keys).integers(Buckets::of).texts(LeaseKey::text).values())
        .send();
    return found;
  }
}
