package dev.leasehold.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** A change to the database of a target, made in the transaction that has checked the token. */
@FunctionalInterface
public interface JdbcChange<T, X extends Exception> {
  /**
   * Neither commits, nor rolls back, nor closes the connection, which refuses that. A rollback to a
   * savepoint of its own is the change's to do.
   */
  T make(Connection connection) throws SQLException, X;
}
