package dev.leasehold.server;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.sqlite.Function;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/** Two handles on a file, with a clock that stands still. */
final class TurnedSqlite implements StoreUnderTest {
  private final AtomicLong clock;
  private final JdbcStore store;
  private final JdbcStore another;

  TurnedSqlite(Path file, AtomicLong clock) {
    this.clock = clock;
    this.store = JdbcStore.on(new Source(file, clock)).migrate().open();
    this.another = JdbcStore.on(new Source(file, clock)).migrate().open();
  }

  /** Both stores behind servers, with a client for each. */
  RemoteUnderTest behindServers() {
    return new RemoteUnderTest(this, store, another);
  }

  @Override
  public LeaseStore store() {
    return store.leases();
  }

  @Override
  public LeaseStore another() {
    return another.leases();
  }

  @Override
  public void setClock(long epochMillis) {
    clock.set(epochMillis);
  }

  @Override
  public void close() {
    store.close();
    another.close();
  }

  /** Replaces SQLite's own clock on each connection. */
  private static final class Source extends SQLiteDataSource {
    private static final long serialVersionUID = 1L;
    private final transient AtomicLong clock;

    Source(Path file, AtomicLong clock) {
      setUrl("jdbc:sqlite:" + file);
      this.clock = clock;
    }

    @Override
    public SQLiteConnection getConnection(String user, String password) throws SQLException {
      SQLiteConnection connection = super.getConnection(user, password);
      Function.create(
          connection,
          "unixepoch",
          new Function() {
            @Override
            protected void xFunc() throws SQLException {
              result(clock.get() / 1000.0);
            }
          });
      return connection;
    }
  }
}
