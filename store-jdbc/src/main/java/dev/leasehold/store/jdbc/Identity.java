package dev.leasehold.store.jdbc;

import java.sql.SQLException;

/** Which database this is, where it can say so; a restore or a promotion may change it. */
record Identity(String systemId, long timeline) {
  static Identity read(Session session) throws SQLException {
    return session.query(
        rows ->
            rows.next() ? new Identity(rows.getString(1), rows.getLong(2)) : new Identity("", 0),
        "identity");
  }
}
