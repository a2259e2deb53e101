package dev.leasehold.store.jdbc;

import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Where connections come from, and what becomes of them afterwards. */
interface Sessions extends AutoCloseable {
  <T> T use(Work<T> work) throws SQLException;

  @Override
  void close();

  /** One each time, given back at once. */
  record Pooled(DataSource source, Sql sql) implements Sessions {
    @Override
    public <T> T use(Work<T> work) throws SQLException {
      try (Session session = new Session(source.getConnection(), sql)) {
        return work.run(session);
      }
    }

    @Override
    public void close() {}
  }

  /** One that is kept, with its prepared statements, until it breaks. For one thread at a time. */
  final class Kept implements Sessions {
    private final DataSource source;
    private final Sql sql;
    private Optional<Session> kept = Optional.empty();

    Kept(DataSource source, Sql sql) {
      this.source = source;
      this.sql = sql;
    }

    @Override
    public synchronized <T> T use(Work<T> work) throws SQLException {
      if (kept.isEmpty()) {
        kept = Optional.of(new Session(source.getConnection(), sql));
      }
      boolean usable = false;
      try {
        T result = work.run(kept.get());
        usable = true;
        return result;
      } catch (SQLException e) {
        usable = Failures.of(e) != Failures.CUT_OFF && !kept.get().connection().isClosed();
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
