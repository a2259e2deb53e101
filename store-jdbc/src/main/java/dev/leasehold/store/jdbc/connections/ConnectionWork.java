package dev.leasehold.store.jdbc.connections;

import java.sql.SQLException;

/** Work on a connection. */
public interface ConnectionWork<T> {
  T run(StoreConnection connection) throws SQLException;
}
