package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.Session;
import java.sql.Connection;

/** Sessions for tests that bring a connection, whose search path finds the store by itself. */
final class RawSession {
  private RawSession() {}

  static Session on(Connection connection, Dialect dialect) {
    return new Session(connection, dialect, SearchPath.AS_IT_IS, new Namespace(dialect));
  }
}
