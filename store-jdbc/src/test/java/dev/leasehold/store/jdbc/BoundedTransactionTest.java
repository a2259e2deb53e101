package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** What a store sets on its connections, and in which state it returns them. */
class BoundedTransactionTest {
  private Schema schema;

  @BeforeEach
  void makeSchema() {
    schema = new Schema();
  }

  @AfterEach
  void dropSchema() {
    schema.close();
  }

  private static String setting(StoreConnection connection, String name) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement();
        ResultSet rows = statement.executeQuery("SHOW " + name)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  private PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(schema.url(""));
    return source;
  }

  /** Otherwise a process that stops in the middle of one would keep its rows locked. */
  @Test
  void the_server_ends_a_transaction_whose_client_has_stalled_or_that_waits_for_a_lock()
      throws SQLException {
    try (StoreConnection connection = new Connector(source(), Dialect.POSTGRESQL).connect()) {
      List<String> within =
          connection.inBoundedTransaction(
              s ->
                  List.of(
                      setting(s, "idle_in_transaction_session_timeout"),
                      setting(s, "lock_timeout")));
      assertThat(within).containsExactly("3s", "1s");
      assertThat(setting(connection, "idle_in_transaction_session_timeout")).isEqualTo("0");
      assertThat(setting(connection, "lock_timeout")).isEqualTo("0");
    }
  }

  @Test
  void a_server_is_not_listened_to_for_ever() throws SQLException {
    try (StoreConnection connection = new Connector(source(), Dialect.POSTGRESQL).connect()) {
      assertThat(connection.jdbc().getNetworkTimeout())
          .isPositive()
          .isLessThan((int) AnswerTimes.STORE.toMillis());
    }
  }

  /** A pool that lends one connection, and lends it again as it was returned. */
  private static final class Careless extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;
    private final transient List<Connection> free = new ArrayList<>();

    @Override
    public synchronized Connection getConnection() throws SQLException {
      return ReturnedOnClose.by(
          free.isEmpty() ? super.getConnection() : free.removeLast(), this::comesBack);
    }

    private synchronized void comesBack(Connection connection) {
      free.add(connection);
    }
  }

  @Test
  void a_connection_goes_back_to_its_pool_as_it_came() throws SQLException {
    Careless pool = new Careless();
    pool.setUrl(schema.url(""));
    List<Connection> lent = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Connection connection = pool.getConnection();
      connection.setAutoCommit(i % 2 == 0);
      connection.setNetworkTimeout(Runnable::run, 60_000 + i % 2);
      connection
          .unwrap(PGConnection.class)
          .setAutosave(i % 2 == 0 ? AutoSave.ALWAYS : AutoSave.CONSERVATIVE);
      lent.add(connection);
    }
    for (Connection connection : lent) {
      connection.close();
    }
    try (JdbcStore store = JdbcStore.on(pool).migrate().open()) {
      TestCommands.acquireAndRelease(store.leases(), new LeaseKey("lock/report"));
      assertThat(TestCommands.get(store.diagnostics().identity()).incarnation()).isPositive();
    }
    assertThat(pool.free).hasSize(10);
    for (Connection connection : pool.free) {
      assertThat(connection.getNetworkTimeout())
          .isEqualTo(connection.getAutoCommit() ? 60_000 : 60_001);
      assertThat(connection.unwrap(PGConnection.class).getAutosave())
          .isEqualTo(connection.getAutoCommit() ? AutoSave.ALWAYS : AutoSave.CONSERVATIVE);
      connection.close();
    }
  }
}
