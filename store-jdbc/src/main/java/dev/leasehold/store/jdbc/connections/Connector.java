package dev.leasehold.store.jdbc.connections;

import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Gets connections and makes them fit for use. */
public final class Connector {
  private static final String CONNECT_SECONDS = "4";

  private final Source source;
  private final Dialect dialect;
  private final SearchPath path;
  private final Namespace namespace;

  /** From a pool of the application's. */
  public Connector(DataSource source, Dialect dialect) {
    this(source::getConnection, dialect, SearchPath.of(dialect, false), new Namespace(dialect));
  }

  /** From a pool of our own. */
  public static Connector own(DataSource source, Dialect dialect) {
    return new Connector(
        source::getConnection, dialect, SearchPath.of(dialect, true), new Namespace(dialect));
  }

  private Connector(Source source, Dialect dialect, SearchPath path, Namespace namespace) {
    this.source = source;
    this.dialect = dialect;
    this.path = path;
    this.namespace = namespace;
  }

  /** To the same store, from another pool of the same kind. */
  public Connector from(DataSource other) {
    return new Connector(other::getConnection, dialect, path, namespace);
  }

  /** The same from a pool that is made when it is needed, where users' statements run, too. */
  public Connector lazilyFrom(Supplier<DataSource> pool) {
    return new Connector(
        () -> pool.get().getConnection(), dialect, SearchPath.of(dialect, false), namespace);
  }

  /** Where a connection comes from. */
  private interface Source {
    Connection getConnection() throws SQLException;
  }

  /**
   * Without a pool, for whoever keeps one connection anyway. A pool that finds nobody waits longer
   * and longer before it looks again, and a lease may not have that long.
   */
  public Connector direct(String url) {
    Properties settings = new Properties();
    settings.setProperty("connectTimeout", CONNECT_SECONDS);
    settings.setProperty("loginTimeout", CONNECT_SECONDS);
    String jdbcUrl = Dialect.ofUrl(url).jdbcUrl(url);
    Source driver = () -> fit(DriverManager.getConnection(jdbcUrl, settings), path);
    return new Connector(driver, dialect, path, namespace);
  }

  /** A new connection of our own. */
  static Connection fit(Connection connection, SearchPath path) throws SQLException {
    boolean fit = false;
    try {
      if (path == SearchPath.PINNED) {
        pin(connection);
      }
      fit = true;
      return connection;
    } finally {
      if (!fit) {
        connection.close();
      }
    }
  }

  private static void pin(Connection connection) throws SQLException {
    String pin = Dialect.POSTGRESQL.sql().get("pin-connection");
    try (PreparedStatement statement = connection.prepareStatement(pin)) {
      boolean unused = statement.execute();
    }
  }

  /** No connection could be had, and so nothing was sent. */
  public static final class NoConnection extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    public NoConnection(SQLException cause) {
      super("no connection to the store: " + Failures.text(Failures.root(cause)), cause);
    }
  }

  public Namespace namespace() {
    return namespace;
  }

  public Session connect() throws SQLException {
    Session session = new Session(connection(), dialect, path, namespace);
    boolean fit = false;
    try {
      if (dialect == Dialect.SQLITE) {
        makeDurable(session);
      } else {
        session.boundSilence();
        session.refuseSavepoints();
        namespace.find(session);
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
