package dev.leasehold.store.jdbc;

import java.sql.SQLException;

/** Something that is done with a connection. */
interface Work<T> {
  T run(Session session) throws SQLException;
}
