package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.Connection;

/** A source for tests with their own connection, whose search path leads to the store. */
final class RawConnection {
  private RawConnection() {}

  static StoreConnection on(Connection connection, Dialect dialect) {
    return new StoreConnection(connection, dialect, SearchPath.AS_IT_IS, new Namespace(dialect));
  }
}
