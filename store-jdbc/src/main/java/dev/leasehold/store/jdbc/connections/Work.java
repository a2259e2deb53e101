package dev.leasehold.store.jdbc.connections;

import java.sql.SQLException;

/** Work on a connection. */
public interface Work<T> {
  T run(StoreConnection connection) throws SQLException;
}
