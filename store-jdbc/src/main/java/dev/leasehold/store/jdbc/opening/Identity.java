package dev.leasehold.store.jdbc.opening;

import dev.leasehold.store.jdbc.connections.Session;
import java.sql.SQLException;

/** Which database this is, where it can say so; a restore or a promotion may change it. */
public record Identity(String systemId, long timeline) {
  public static Identity read(Session session) throws SQLException {
    return session.query(
        rows ->
            rows.next() ? new Identity(rows.getString(1), rows.getLong(2)) : new Identity("", 0),
        "identity");
  }
}
