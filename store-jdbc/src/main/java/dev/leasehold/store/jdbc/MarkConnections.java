package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.DelegatingSource;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections for the marks of fences. Marks do not depend on leases, but they go back with the
 * store, so the store is checked for a rollback before each use.
 */
final class MarkConnections extends DelegatingSource {
  private final DataSource pool;
  private final RollbackDetector detector;
  private final Namespace namespace;
  private final boolean silenceBounded;

  /** {@code silenceBounded}: the pool resets connections on return, so a limit can be set. */
  MarkConnections(DataSource pool, StoreContext store, boolean silenceBounded) {
    super(pool);
    this.pool = pool;
    this.detector = store.detector();
    this.namespace = store.namespace();
    this.silenceBounded = silenceBounded;
  }

  /** The store beside which the marks are kept. */
  record StoreContext(RollbackDetector detector, Namespace namespace) {}

  @Override
  public Connection getConnection() throws SQLException {
    Connection jdbc = pool.getConnection();
    boolean fit = false;
    try {
      boolean autoCommit = jdbc.getAutoCommit();
      Dialect dialect = namespace.dialect();
      StoreConnection connection =
          new StoreConnection(jdbc, dialect, SearchPath.of(dialect, false), namespace);
      if (silenceBounded) {
        connection.boundSilence();
      }
      detector.require(connection);
      connection.forgetPrepared();
      jdbc.setAutoCommit(autoCommit);
      fit = true;
      return jdbc;
    } finally {
      if (!fit) {
        jdbc.close();
      }
    }
  }
}
