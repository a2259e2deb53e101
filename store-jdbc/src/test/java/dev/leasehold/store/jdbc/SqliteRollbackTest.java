package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.batches.Batches;
import dev.leasehold.store.jdbc.batches.SqliteEngine;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.leases.LeaseTable;
import dev.leasehold.store.jdbc.leases.Settled;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
  void nothing_of_it_is_kept_and_no_transaction_waits_for_its_lock() {
    String url = "sqlite:" + folder.resolve("leases.db");
    Stubborn source = new Stubborn();
    source.setUrl("jdbc:" + url);
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      Token token = TestCommands.acquire(store.leases(), HELD);
      RollbackDetector detector =
          new RollbackDetector(
              Dialect.SQLITE,
              TestCommands.get(store.diagnostics().identity()).storeId(),
              Optional.empty());
      SqliteEngine engine =
          new SqliteEngine(new Connector(source, Dialect.SQLITE), detector::guard);
      Batches<Command, Settled> leases =
          engine.open(new LeaseTable(Dialect.SQLITE.limits(), new ChangeLines()));
      CompletionStage<Integer> failing =
          engine.transact(
              connection -> {
                connection.update("delete-lease", Buckets.of(HELD), HELD.text());
                throw new SQLException("planted");
              });
      assertThatThrownBy(() -> TestCommands.get(failing)).hasMessageContaining("planted");
      TestCommands.release(store.leases(), HELD, token);
      assertThat(
              TestCommands.get(leases.apply(List.of(TestCommands.acquiring(NEXT))))
                  .getFirst()
                  .outcome())
          .isInstanceOf(Outcome.Granted.class);
      engine.close();
      assertThat(TestCommands.get(store.leases().read(HELD))).isPresent();
    }
  }

  /** How a transaction is run. */
  private interface Running {
    int run(StoreConnection connection, ConnectionWork<Integer> work) throws SQLException;
  }

  private static int notes(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM note")) {
      return rows.getInt(1);
    }
  }

  /** SQLite then rolls back by itself, and there is nothing left to roll back. */
  private void connectionIsWholeAfterAFullDisk(Running running) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("notes.db");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection other = DriverManager.getConnection(url)) {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE note (text)");
        statement.execute("PRAGMA max_page_count = 1");
      }
      ConnectionSource connections =
          new ConnectionSource.Pooled(new Connector(pool, Dialect.SQLITE));
      assertThatThrownBy(() -> connections.use(connection -> running.run(connection, this::fillUp)))
          .hasMessageContaining("full");
      try (Connection again = pool.getConnection();
          Statement statement = again.createStatement()) {
        statement.execute("PRAGMA max_page_count = 1000000");
        again.setAutoCommit(false);
        statement.executeUpdate("INSERT INTO note VALUES ('not to be kept')");
        assertThat(notes(other)).isZero();
        again.rollback();
        assertThat(notes(again)).isZero();
        statement.executeUpdate("INSERT INTO note VALUES ('to be kept')");
        again.commit();
        assertThat(notes(other)).isOne();
      }
    }
  }

  private int fillUp(StoreConnection connection) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement()) {
      return statement.executeUpdate("INSERT INTO note VALUES (zeroblob(1000000))");
    }
  }

  @Test
  void a_connection_is_whole_when_it_is_borrowed_after_the_disk_was_full() throws SQLException {
    connectionIsWholeAfterAFullDisk(StoreConnection::inTransaction);
  }

  @Test
  void so_it_is_after_a_migration_that_found_the_disk_full() throws SQLException {
    connectionIsWholeAfterAFullDisk(StoreSchema::immediately);
  }

  @Test
  void a_transaction_that_stays_open_ends_although_the_pool_gets_its_connection_back()
      throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("notes.db");
    Stubborn source = new Stubborn();
    source.setUrl(url);
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection other = DriverManager.getConnection(url);
        Statement statement = other.createStatement()) {
      statement.execute("CREATE TABLE note (text)");
      StoreConnection connection = new Connector(pool, Dialect.SQLITE).connect();
      assertThatThrownBy(
              () ->
                  connection.inTransaction(
                      s -> {
                        try (Statement change = s.jdbc().createStatement()) {
                          change.executeUpdate("INSERT INTO note VALUES ('not to be kept')");
                        }
                        throw new SQLException("planted");
                      }))
          .hasMessageContaining("planted");
      connection.closeQuietly();
      // No connection has the write lock.
      statement.executeUpdate("INSERT INTO note VALUES ('to be kept')");
      assertThat(notes(other)).isOne();
    }
  }

  private static int limitPages(StoreConnection connection, String pages) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
      return 0;
    }
  }

  @Test
  void a_writer_goes_on_once_there_is_room_again() {
    String url = "sqlite:" + folder.resolve("leases.db");
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      SQLiteDataSource source = new SQLiteDataSource();
      source.setUrl("jdbc:" + url);
      RollbackDetector detector =
          new RollbackDetector(
              Dialect.SQLITE,
              TestCommands.get(store.diagnostics().identity()).storeId(),
              Optional.empty());
      SqliteEngine engine =
          new SqliteEngine(new Connector(source, Dialect.SQLITE), detector::guard);
      Batches<Command, Settled> leases =
          engine.open(new LeaseTable(Dialect.SQLITE.limits(), new ChangeLines()));
      int unused = TestCommands.get(engine.transact(connection -> limitPages(connection, "1")));
      Outcome last =
          TestCommands.get(leases.apply(List.of(TestCommands.acquiring(HELD))))
              .getFirst()
              .outcome();
      for (int i = 0; last instanceof Outcome.Granted; i++) {
        LeaseKey key = new LeaseKey("lock/" + i);
        last =
            TestCommands.get(leases.apply(List.of(TestCommands.acquiring(key))))
                .getFirst()
                .outcome();
      }
      assertThat(last).asString().contains("full");
      unused = TestCommands.get(engine.transact(connection -> limitPages(connection, "1000000")));
      assertThat(
              TestCommands.get(leases.apply(List.of(TestCommands.acquiring(NEXT))))
                  .getFirst()
                  .outcome())
          .isInstanceOf(Outcome.Granted.class);
      engine.close();
    }
  }

  @Test
  void a_statement_that_has_failed_can_be_used_again_on_a_connection_that_is_kept()
      throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + folder.resolve("notes.db"));
    try (ConnectionSource connections =
        new ConnectionSource.Kept(new Connector(source, Dialect.SQLITE))) {
      assertThatThrownBy(() -> connections.use(connection -> connection.update("rollback")))
          .hasMessageContaining("no transaction is active");
      int changed =
          connections.use(
              connection -> {
                connection.update("begin");
                return connection.update("rollback");
              });
      assertThat(changed).isZero();
    }
  }
}
