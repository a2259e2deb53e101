package dev.leasehold.store.jdbc.connections;

import java.sql.SQLException;

/** Something that is done with a connection. */
public interface Work<T> {
  T run(Session session) throws SQLException;
}
