package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Effects;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.ledger.Reports;
import dev.leasehold.store.jdbc.ledger.Suspicions;
import dev.leasehold.testkit.time.ManualTicker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** At effect on SQLite, where a change holds back every other writer. */
class SqliteAtEffectTest extends AtEffectContract {
  @Override
  TwoHandles open(long startMillis) {
    return new SqliteStoreUnderTest(startMillis);
  }

  /** SQLite does not abort: a caller that catches the exception has to roll back. */
  @Override
  int notesAfterAnIgnoredRefusal() {
    return 2;
  }

  @Test
  void a_takeover_waits_for_the_commit() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    List<CompletionStage<List<Outcome>>> takeover = new ArrayList<>();
    assertThat(
            effects.change(
                claim(token),
                TRUST,
                connection -> {
                  takeover.add(other.leases().apply(List.of(bobAsks())));
                  return note(connection);
                }))
        .isEqualTo(new Changed.Made<>(1));
    assertThat(TestCommands.get(takeover.getFirst()).getFirst())
        .isInstanceOf(Outcome.Granted.class);
  }

  /** The bound protects other writers, which wait for a change only once it has the lock. */
  @Test
  void the_wait_for_the_write_lock_does_not_count_towards_the_bound() throws Exception {
    Token token = TestCommands.acquire(store.leases(), KEY);
    ManualTicker ticker = new ManualTicker();
    Reports reports = new Reports(store.leases().ledger());
    try (Connection connection = handles.connect()) {
      Connection slow = waitingForTheLock(connection, () -> ticker.advance(Duration.ofSeconds(3)));
      StoreConnection only = StoreConnection.onFile(slow, Dialect.SQLITE);
      ConnectionSource source =
          new ConnectionSource() {
            @Override
            public <T> T use(ConnectionWork<T> work) throws SQLException {
              return work.run(only);
            }

            @Override
            public void close() {}
          };
      Effects.Parts parts =
          new Effects.Parts(
              new Namespace(Dialect.SQLITE),
              source,
              new RollbackDetector(Dialect.SQLITE, storeId(connection), Optional.empty()),
              new Effects.Audit(new Suspicions(reports), reports),
              ticker);
      AtEffect notes = new AtEffect("notes", trail, new Effects(parts));
      assertThat(notes.change(claim(token), TRUST, AtEffectContract::note))
          .isEqualTo(new Changed.Made<>(1));
    }
  }

  private static String storeId(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT store_id FROM leasehold_store")) {
      return row.next() ? row.getString(1) : "";
    }
  }

  /** A connection for which another writer has the lock for a while. */
  private static Connection waitingForTheLock(Connection connection, Runnable meanwhile) {
    return (Connection)
        Proxy.newProxyInstance(
            SqliteAtEffectTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && ((String) arguments[0]).contains("SET id = id")) {
                meanwhile.run();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Otherwise, after a transaction that has only read, others could write after its check. */
  @Test
  void a_check_in_the_callers_transaction_takes_the_write_lock() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect();
        Connection rival = handles.connect()) {
      connection.setAutoCommit(false);
      effects.check(connection, claim(token), TRUST);
      assertThatThrownBy(() -> note(rival))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode() & 0xff).isEqualTo(5));
      connection.rollback();
    }
  }

  /** It would commit the changes that the outer one has made so far. */
  @Test
  void from_inside_of_a_change_the_fence_cannot_be_asked() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    TRUST,
                    connection -> effects.change(claim(token), TRUST, AtEffectContract::note)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside of a change");
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    TRUST,
                    connection -> {
                      int unused = note(connection);
                      return effects.admit(claim(token));
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(notes()).isZero();
  }
}
