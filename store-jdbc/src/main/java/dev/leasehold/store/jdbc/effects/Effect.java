package dev.leasehold.store.jdbc.effects;

import java.sql.Connection;
import java.sql.SQLException;

/** A change that is made in one transaction with the check of its token. */
@FunctionalInterface
public interface Effect<T> {
  /**
   * Makes the change and returns its result. It may be rolled back, so it should touch nothing but
   * the database.
   *
   * @param connection in the transaction; it may not be committed, rolled back or closed
   */
  T make(Connection connection) throws SQLException;
}
