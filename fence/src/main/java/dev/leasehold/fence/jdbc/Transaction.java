package dev.leasehold.fence.jdbc;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transaction on a connection of its own: rolled back unless it was committed. */
final class Transaction implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Transaction.class.getName());

  private final Connection connection;
  private final boolean autoCommitBefore;
  private boolean committed;

  private Transaction(Connection connection, boolean autoCommitBefore) {
    this.connection = connection;
    this.autoCommitBefore = autoCommitBefore;
  }

  static Transaction begin(DataSource source) throws SQLException {
    Connection connection = source.getConnection();
    try {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      return new Transaction(connection, autoCommit);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  Connection connection() {
    return connection;
  }

  void commit() throws SQLException {
    connection.commit();
    committed = true;
  }

  /** Does not throw, so that the caller gets the exception that ended the transaction. */
  @Override
  public void close() {
    try (connection) {
      if (!committed) {
        connection.rollback();
      }
      // Not every pool restores it.
      connection.setAutoCommit(autoCommitBefore);
    } catch (SQLException e) {
      // The connection is lost, and with it the transaction.
      LOG.log(Level.DEBUG, "a connection could not be given back as it was", e);
    }
  }
}
