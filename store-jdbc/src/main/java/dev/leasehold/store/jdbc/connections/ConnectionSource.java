package dev.leasehold.store.jdbc.connections;

import java.sql.SQLException;
import java.util.Optional;

/** Lends connections and takes them back. */
public interface ConnectionSource extends AutoCloseable {
  <T> T use(ConnectionWork<T> work) throws SQLException;

  @Override
  void close();

  /** Takes a connection from a pool for each use, and returns it at once. */
  record Pooled(Connector connector) implements ConnectionSource {
    @Override
    public <T> T use(ConnectionWork<T> work) throws SQLException {
      try (StoreConnection connection = connector.connect()) {
        try {
          return work.run(connection);
        } catch (SQLException e) {
          if (Failures.of(e) == Failures.CUT_OFF) {
            // The pool must not lend this connection again.
            connection.jdbc().abort(Runnable::run);
          }
          throw e;
        }
      }
    }

    @Override
    public void close() {}
  }

  /**
   * Keeps one connection, with its prepared statements, until it breaks. For one thread at a time.
   */
  final class Kept implements ConnectionSource {
    private final Connector connector;
    private Optional<StoreConnection> kept = Optional.empty();

    public Kept(Connector connector) {
      this.connector = connector;
    }

    @Override
    public synchronized <T> T use(ConnectionWork<T> work) throws SQLException {
      if (kept.isEmpty()) {
        kept = Optional.of(connector.connect());
      }
      boolean usable = false;
      try {
        T result = work.run(kept.get());
        usable = true;
        return result;
      } catch (SQLException e) {
        if (Failures.of(e) != Failures.CUT_OFF && !kept.get().jdbc().isClosed()) {
          kept.get().forgetPrepared();
          usable = true;
        }
        throw e;
      } finally {
        if (!usable) {
          close();
        }
      }
    }

    @Override
    public synchronized void close() {
      kept.ifPresent(StoreConnection::closeQuietly);
      kept = Optional.empty();
    }
  }
}
