package dev.leasehold.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;

/** Gets connections and makes them fit for use. */
final class Connector {
  private final DataSource source;
  private final Dialect dialect;

  Connector(DataSource source, Dialect dialect) {
    this.source = source;
    this.dialect = dialect;
  }

  /** No connection could be had, and so nothing was sent. */
  static final class NoConnection extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    NoConnection(SQLException cause) {
      super("no connection to the store: " + Failures.text(Failures.root(cause)), cause);
    }
  }

  Session connect() throws SQLException {
    Session session = new Session(connection(), dialect.sql());
    boolean fit = false;
    try {
      if (dialect == Dialect.SQLITE) {
        makeDurable(session);
      } else {
        session.boundSilence();
      }
      fit = true;
      return session;
    } finally {
      if (!fit) {
        session.closeQuietly();
      }
    }
  }

  private Connection connection() throws SQLException {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw new NoConnection(e);
    }
  }

  /** These hold for one connection, except for the journal's mode, which the file keeps. */
  private static void makeDurable(Session session) throws SQLException {
    boolean unused = session.query(ResultSet::next, "busy-timeout");
    String mode = session.query(rows -> rows.next() ? rows.getString(1) : "", "journal-mode");
    if (!mode.equals("wal")) {
      throw new StoreUnusableException(
          "SQLite cannot keep a write-ahead log here (its journal mode stays '"
              + mode
              + "'): leases need a file of their own on a local disk, as in sqlite:leases.db");
    }
    session.update("synchronous");
  }
}
