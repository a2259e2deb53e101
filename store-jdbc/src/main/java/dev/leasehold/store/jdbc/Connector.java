package dev.leasehold.store.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Gets connections and makes them fit for use. */
final class Connector {
  private static final String CONNECT_SECONDS = "4";

  private final Source source;
  private final Dialect dialect;

  Connector(DataSource source, Dialect dialect) {
    this(source::getConnection, dialect);
  }

  private Connector(Source source, Dialect dialect) {
    this.source = source;
    this.dialect = dialect;
  }

  /** From a pool that is made when somebody needs it. */
  static Connector lazily(Supplier<DataSource> pool, Dialect dialect) {
    return new Connector(() -> pool.get().getConnection(), dialect);
  }

  /** Where a connection comes from. */
  private interface Source {
    Connection getConnection() throws SQLException;
  }

  /**
   * Without a pool, for whoever keeps one connection anyway. A pool that finds nobody waits longer
   * and longer before it looks again, and a lease may not have that long.
   */
  static Connector direct(String url, Dialect dialect) {
    Properties settings = new Properties();
    settings.setProperty("connectTimeout", CONNECT_SECONDS);
    settings.setProperty("loginTimeout", CONNECT_SECONDS);
    String jdbcUrl = Dialect.ofUrl(url).jdbcUrl(url);
    return new Connector(() -> DriverManager.getConnection(jdbcUrl, settings), dialect);
  }

  /** No connection could be had, and so nothing was sent. */
  static final class NoConnection extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    NoConnection(SQLException cause) {
      super("no connection to the store: " + Failures.text(Failures.root(cause)), cause);
    }
  }

  Session connect() throws SQLException {
    Session session = new Session(connection(), dialect);
    boolean fit = false;
    try {
      if (dialect == Dialect.SQLITE) {
        makeDurable(session);
      } else {
        session.boundSilence();
        session.refuseSavepoints();
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
    session.update("page-size");
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
