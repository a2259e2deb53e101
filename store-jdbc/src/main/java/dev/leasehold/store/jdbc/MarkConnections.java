package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.DelegatingSource;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.health.Sentry;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections for the marks of fences, which know nothing of leases: only to a store that is where
 * it was, since its marks have gone back with it.
 */
final class MarkConnections extends DelegatingSource {
  private final DataSource pool;
  private final Sentry sentry;
  private final Namespace namespace;
  private final boolean silenceBounded;

  /** {@code silenceBounded}: the pool gives connections back as they were, so it can be set. */
  MarkConnections(DataSource pool, Place place, boolean silenceBounded) {
    super(pool);
    this.pool = pool;
    this.sentry = place.sentry();
    this.namespace = place.namespace();
    this.silenceBounded = silenceBounded;
  }

  /** The store that the marks are beside. */
  record Place(Sentry sentry, Namespace namespace) {}

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = pool.getConnection();
    boolean fit = false;
    try {
      boolean autoCommit = connection.getAutoCommit();
      Dialect dialect = namespace.dialect();
      Session session = new Session(connection, dialect, SearchPath.of(dialect, false), namespace);
      if (silenceBounded) {
        session.boundSilence();
      }
      sentry.require(session);
      session.forgetPrepared();
      connection.setAutoCommit(autoCommit);
      fit = true;
      return connection;
    } finally {
      if (!fit) {
        connection.close();
      }
    }
  }
}
