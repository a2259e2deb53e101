package dev.leasehold.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** A change to the database of a target, made in the transaction that has checked the token. */
@FunctionalInterface
public interface JdbcChange<T, X extends Exception> {
  /**
   * Makes the change. It cannot commit, roll back or close the connection, which refuses that; it
   * may roll back to a savepoint of its own.
   */
  T make(Connection connection) throws SQLException, X;
}
