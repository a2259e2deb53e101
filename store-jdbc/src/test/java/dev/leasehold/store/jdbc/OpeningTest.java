package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteDataSource;

/** What is refused when a SQLite store is opened, or a store that does not exist. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class OpeningTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");

  @TempDir Path folder;

  private String url() {
    return "sqlite:" + folder.resolve("leases.db");
  }

  private static void refuses(JdbcStoreBuilder store, String... words) {
    assertThatThrownBy(store::open)
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void an_unknown_url() {
    assertThatThrownBy(() -> JdbcStore.at("jdbc:mysql://localhost/x"))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContainingAll("sqlite:", "jdbc:postgresql:", "jdbc:cockroachdb:");
  }

  @ParameterizedTest
  @CsvSource({
    "postgres://u:geheim@h/db, jdbc:postgresql://HOST/DATABASE",
    "postgresql://u:geheim@h/db, jdbc:postgresql://HOST/DATABASE",
    "cockroachdb://u:geheim@h/db, jdbc:cockroachdb://HOST/DATABASE",
    "./geheim/leases.db, sqlite:PATH",
    "leases.db, sqlite:PATH"
  })
  void a_url_as_it_is_written_elsewhere(String url, String meant) {
    assertThatThrownBy(() -> JdbcStore.at(url))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContainingAll("memory:", "write " + meant)
        .hasMessageNotContaining("geheim");
  }

  /** A pool reports that it has waited for a connection; here it did not wait. */
  @Test
  void what_no_retry_can_mend_is_said_without_one() throws IOException {
    Files.writeString(folder.resolve("leases.db"), "this is no database at all, ".repeat(100));
    for (String file : List.of("leases.db", "no/such/folder.db")) {
      assertThatThrownBy(() -> JdbcStore.at("sqlite:" + folder.resolve(file)).open())
          .isInstanceOf(StoreUnusableException.class)
          .hasMessageContaining("SQLite file")
          .cause()
          .isInstanceOf(SQLException.class)
          .isNotInstanceOf(SQLTransientConnectionException.class);
    }
  }

  @Test
  void a_missing_driver_names_the_artifact() {
    assertThatThrownBy(() -> Opening.requireDriver("jdbc:nobody:", "org.xerial:sqlite-jdbc"))
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContaining("add org.xerial:sqlite-jdbc");
  }

  @Test
  void a_database_in_memory() {
    refuses(JdbcStore.at("sqlite::memory:").migrate(), "write-ahead log", "a file");
  }

  @Test
  void a_missing_schema_names_the_command() {
    refuses(JdbcStore.at(url()), "no schema", "leasehold migrate");
  }

  @Test
  void a_schema_that_is_too_new() throws SQLException {
    JdbcStore.at(url()).migrate().open().close();
    try (Connection connection = DriverManager.getConnection("jdbc:" + url());
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO leasehold_schema VALUES (99, 'later', 99, 0)");
    }
    refuses(JdbcStore.at(url()), "0.99", "upgrade this process");
    refuses(JdbcStore.at(url()).migrate(), "0.99", "upgrade this process");
  }

  @Test
  void a_schema_that_is_behind_names_the_command() throws SQLException {
    JdbcStore.at(url()).migrate().open().close();
    try (Connection connection = DriverManager.getConnection("jdbc:" + url());
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM leasehold_schema WHERE version > 1");
    }
    refuses(JdbcStore.at(url()), "older than this release", "leasehold migrate");
    JdbcStore.at(url()).migrate().open().close();
  }

  @Test
  void a_file_that_can_only_be_read() {
    JdbcStore.at(url()).migrate().open().close();
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:" + url());
    source.setReadOnly(true);
    refuses(JdbcStore.on(source), "can only be read");
  }

  @Test
  void a_file_that_is_none_of_sqlites() throws IOException {
    Files.writeString(folder.resolve("leases.db"), "this is no database at all, ".repeat(100));
    refuses(JdbcStore.at(url()).migrate(), "no SQLite file");
  }

  @Test
  void sqlite_is_durable_and_patient_on_the_connections_of_any_pool() throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:" + url());
    source.setSynchronous("OFF");
    try (StoreConnection connection = new Connector(source, Dialect.SQLITE).connect();
        Statement statement = connection.jdbc().createStatement()) {
      assertThat(value(statement, "PRAGMA journal_mode")).isEqualTo("wal");
      assertThat(value(statement, "PRAGMA synchronous")).isEqualTo("2");
      assertThat(value(statement, "PRAGMA busy_timeout")).isEqualTo("4000");
    }
  }

  private static String value(Statement statement, String sql) throws SQLException {
    try (var rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  @Test
  void a_write_lock_that_another_process_keeps_is_named() throws SQLException {
    try (JdbcStore store = JdbcStore.at(url()).migrate().open();
        Connection other = DriverManager.getConnection("jdbc:" + url());
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED);
                assertThat(failed.detail()).contains("another process", "write lock");
              });
      statement.execute("ROLLBACK");
      TestCommands.acquireAndRelease(store.leases(), KEY);
    }
  }

  /** Bounded by the test's own patience, far above the five seconds; it must not hang. */
  @Test
  void a_server_that_is_away() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    refuses(
        JdbcStore.at("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres"),
        "cannot be reached");
  }

  @Test
  void a_server_that_never_answers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      refuses(
          JdbcStore.at(
              "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/postgres?user=postgres"),
          "the store");
    }
  }

  @Test
  void a_pool_that_has_no_connection_left() throws SQLException {
    JdbcStore.at(url()).migrate().open().close();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:" + url());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(Duration.ofMinutes(10).toMillis());
    try (HikariDataSource exhausted = new HikariDataSource(config);
        Connection taken = exhausted.getConnection()) {
      assertThat(taken.isClosed()).isFalse();
      refuses(JdbcStore.on(exhausted), "did not answer", "a connection left");
    }
  }
}
