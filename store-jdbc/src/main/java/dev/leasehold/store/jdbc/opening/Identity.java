package dev.leasehold.store.jdbc.opening;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;

/** The identity of a database that has one; a restore or a promotion may change it. */
public record Identity(String systemId, long timeline) {
  public static Identity read(StoreConnection connection) throws SQLException {
    return connection
        .first(row -> new Identity(row.getString(1), row.getLong(2)), "identity")
        .orElse(new Identity("", 0));
  }
}
