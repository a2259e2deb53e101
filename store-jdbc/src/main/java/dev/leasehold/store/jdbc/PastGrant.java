package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import dev.leasehold.store.jdbc.leases.Reasons;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A grant that another has followed, for people.
 *
 * @param grantedAtMillis by the store's clock, as is
 * @param followedAtMillis when the next one came; it may have ended long before
 */
public record PastGrant(
    Token token,
    InstanceId instanceId,
    String holder,
    String purpose,
    String region,
    long grantedAtMillis,
    long followedAtMillis,
    LossReason end) {
  static List<PastGrant> of(Session session, LeaseKey key) throws SQLException {
    return session.query(
        rows -> {
          List<PastGrant> found = new ArrayList<>();
          while (rows.next()) {
            found.add(read(rows));
          }
          return found;
        },
        "history",
        Buckets.of(key),
        key.text(),
        PastGrantChore.KEPT);
  }

  private static PastGrant read(ResultSet row) throws SQLException {
    return new PastGrant(
        new Token(row.getLong(1)),
        new InstanceId(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getLong(7),
        Reasons.read(row, 8));
  }
}
