package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A transaction that fails, and cannot be rolled back either. */
class SqliteRollbackTest {
  private static final LeaseKey HELD = new LeaseKey("lock/held");
  private static final LeaseKey NEXT = new LeaseKey("lock/next");

  @TempDir Path folder;

  /** Its connections fail to roll back. */
  private static final class Stubborn extends SQLiteDataSource {
    private static final long serialVersionUID = 1L;

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              Stubborn.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("rollback")) {
                  throw new SQLException("no rollback");
                }
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  @Test
  void nothing_of_it_is_kept_and_nobody_waits_for_its_lock() {
    String url = "sqlite:" + folder.resolve("leases.db");
    Stubborn source = new Stubborn();
    source.setUrl("jdbc:" + url);
    try (JdbcLeaseStore store = JdbcLeaseStore.at(url).migrate().open()) {
      Token token = Doing.acquire(store, HELD);
      Sentry sentry =
          new Sentry(Dialect.SQLITE, Doing.get(store.identity()).storeId(), Optional.empty());
      SqliteEngine engine =
          new SqliteEngine(
              new Connector(source, Dialect.SQLITE),
              Dialect.SQLITE.limits(),
              new ChangeLines(),
              sentry);
      CompletionStage<Integer> failing =
          engine.transact(
              session -> {
                session.update("delete-lease", Buckets.of(HELD), HELD.text());
                throw new SQLException("planted");
              });
      assertThatThrownBy(() -> Doing.get(failing)).hasMessageContaining("planted");
      Doing.release(store, HELD, token);
      assertThat(Doing.get(engine.apply(List.of(Doing.acquiring(NEXT)))).getFirst().outcome())
          .isInstanceOf(Outcome.Granted.class);
      engine.close();
      assertThat(Doing.get(store.read(HELD))).isPresent();
    }
  }
}
