package dev.leasehold.store.jdbc.connections;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Opens connections and prepares them for the store's statements. */
public final class Connector {
  private static final String CONNECT_SECONDS = "4";

  private final Source source;
  private final Dialect dialect;
  private final SearchPath path;
  private final Namespace namespace;

  /** Connections from the application's pool. */
  public Connector(DataSource source, Dialect dialect) {
    this(source::getConnection, dialect, SearchPath.of(dialect, false), new Namespace(dialect));
  }

  /** Connections from a pool that belongs to the store. */
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

  /** The same store's connections, from another pool of the same kind. */
  public Connector from(DataSource other) {
    return new Connector(other::getConnection, dialect, path, namespace);
  }

  /** The same from a pool that is created on first use, and on which users' statements run too. */
  public Connector lazilyFrom(Supplier<DataSource> pool) {
    return new Connector(
        () -> pool.get().getConnection(), dialect, SearchPath.of(dialect, false), namespace);
  }

  /** Supplies connections. */
  private interface Source {
    Connection getConnection() throws SQLException;
  }

  /**
   * Connections without a pool, for a caller that keeps one connection anyway. A pool waits longer
   * and longer between attempts to reach a server, and a lease may expire meanwhile.
   */
  public Connector direct(String url) {
    Properties settings = new Properties();
    settings.setProperty("connectTimeout", CONNECT_SECONDS);
    settings.setProperty("loginTimeout", CONNECT_SECONDS);
    String jdbcUrl = Dialect.ofUrl(url).jdbcUrl(url);
    Source driver = () -> fit(DriverManager.getConnection(jdbcUrl, settings), dialect, path);
    return new Connector(driver, dialect, path, namespace);
  }

  /** A new connection of our own. */
  static Connection fit(Connection connection, Dialect dialect, SearchPath path)
      throws SQLException {
    boolean fit = false;
    try {
      if (path == SearchPath.PINNED) {
        pin(connection, dialect);
      }
      fit = true;
      return connection;
    } finally {
      if (!fit) {
        connection.close();
      }
    }
  }

  private static void pin(Connection connection, Dialect dialect) throws SQLException {
    String pin = dialect.sql().get("pin-connection");
    try (PreparedStatement statement = connection.prepareStatement(pin)) {
      boolean unused = statement.execute();
    }
  }

  /** No connection was available, so nothing was sent. */
  public static final class NoConnection extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    public NoConnection(SQLException cause) {
      super("no connection to the store: " + Failures.text(Failures.root(cause)), cause);
    }
  }

  public Namespace namespace() {
    return namespace;
  }

  public StoreConnection connect() throws SQLException {
    StoreConnection connection = new StoreConnection(connection(), dialect, path, namespace);
    boolean fit = false;
    try {
      dialect.prepare(connection);
      namespace.find(connection);
      fit = true;
      return connection;
    } finally {
      if (!fit) {
        connection.closeQuietly();
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
}
