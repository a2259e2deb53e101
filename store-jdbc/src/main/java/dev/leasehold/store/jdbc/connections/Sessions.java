package dev.leasehold.store.jdbc.connections;

import java.sql.SQLException;
import java.util.Optional;

/** Where connections come from, and what becomes of them afterwards. */
public interface Sessions extends AutoCloseable {
  <T> T use(Work<T> work) throws SQLException;

  @Override
  void close();

  /** One each time, given back at once. */
  record Pooled(Connector connector) implements Sessions {
    @Override
    public <T> T use(Work<T> work) throws SQLException {
      try (Session session = connector.connect()) {
        try {
          return work.run(session);
        } catch (SQLException e) {
          if (Failures.of(e) == Failures.CUT_OFF) {
            // The pool must not hand it out again.
            session.connection().abort(Runnable::run);
          }
          throw e;
        }
      }
    }

    @Override
    public void close() {}
  }

  /** One that is kept, with its prepared statements, until it breaks. For one thread at a time. */
  final class Kept implements Sessions {
    private final Connector connector;
    private Optional<Session> kept = Optional.empty();

    public Kept(Connector connector) {
      this.connector = connector;
    }

    @Override
    public synchronized <T> T use(Work<T> work) throws SQLException {
      if (kept.isEmpty()) {
        kept = Optional.of(connector.connect());
      }
      boolean usable = false;
      try {
        T result = work.run(kept.get());
        usable = true;
        return result;
      } catch (SQLException e) {
        if (Failures.of(e) != Failures.CUT_OFF && !kept.get().connection().isClosed()) {
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
      kept.ifPresent(Session::closeQuietly);
      kept = Optional.empty();
    }
  }
}
