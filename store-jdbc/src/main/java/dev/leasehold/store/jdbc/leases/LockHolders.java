package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which backends have the row of a key locked. Only reads, and waits for none of them. Empty where
 * the row is free, where there is none, and on databases that do not tell.
 */
public final class LockHolders {
  private LockHolders() {}

  /** The one with the oldest transaction first. */
  public static List<LockHolder> of(Session session, LeaseKey key) throws SQLException {
    return session.query(LockHolders::readAll, "lock-holders", Buckets.of(key), key.text());
  }

  public static List<LockHolder> readAll(ResultSet rows) throws SQLException {
    List<LockHolder> holders = new ArrayList<>();
    while (rows.next()) {
      holders.add(
          new LockHolder(rows.getLong(1), rows.getLong(2), rows.getString(3), rows.getString(4)));
    }
    return holders;
  }
}
