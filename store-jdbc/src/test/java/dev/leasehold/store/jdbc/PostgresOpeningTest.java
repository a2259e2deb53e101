package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What is refused when a store on PostgreSQL is opened. A database with replaced built-in functions
 * imitates states that otherwise need a server of their own.
 */
class PostgresOpeningTest {
  @AutoClose private final Schema schema = new Schema();

  private void refuses(String options, String... words) {
    isRefused(schema.url(options), words);
  }

  private static void isRefused(String url, String... words) {
    assertThatThrownBy(() -> JdbcStore.at(url).migrate().open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll(words);
  }

  /** A pool reports that it has waited for a connection; here it did not wait. */
  @Test
  void a_database_and_a_role_that_are_not_there_are_said_at_once() {
    for (String url :
        List.of(
            PostgresServer.url().replaceFirst("/[^/?]+([?]|$)", "/no_such_database$1"),
            PostgresServer.url().replaceFirst("user=[^&]*", "user=nobody_here"))) {
      assertThatThrownBy(() -> JdbcStore.at(url).open())
          .isInstanceOf(StoreUnusableException.class)
          .hasMessageContaining("does not exist")
          .satisfies(
              thrown -> {
                for (Throwable e = thrown; e != null; e = e.getCause()) {
                  assertThat(e).hasMessageNotContaining("timed out");
                }
              });
    }
  }

  @Test
  void commits_that_do_not_wait_for_the_disk() {
    refuses("-c synchronous_commit=off", "synchronous_commit is off", "set it to on");
  }

  @Test
  void commits_that_wait_for_their_own_disk_alone_will_do() {
    JdbcStore.at(schema.url("-c synchronous_commit=local")).migrate().open().close();
  }

  @Test
  void a_server_without_fsync() throws SQLException {
    try (var database = PretendingDatabase.setting("fsync", "off")) {
      isRefused(database.url(), "fsync is off", "fsync = on");
    }
  }

  @Test
  void a_server_that_is_too_old() throws SQLException {
    try (var database = PretendingDatabase.setting("server_version_num", "120019")) {
      isRefused(database.url(), "PostgreSQL 12", "13 or newer");
    }
  }

  /** A command would not see what was committed while it waited for a row. */
  @ParameterizedTest
  @ValueSource(strings = {"repeatable\\ read", "read\\ uncommitted"})
  void an_isolation_that_commands_are_not_made_for(String isolation) {
    refuses(
        "-c default_transaction_isolation=" + isolation,
        "neither at READ COMMITTED nor at SERIALIZABLE",
        "default_transaction_isolation");
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void an_isolation_that_commands_are_made_for(String isolation) {
    JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation))
        .migrate()
        .open()
        .close();
  }

  /** The statements of that dialect were never tested at another isolation level. */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "repeatable\\ read"})
  void a_cockroach_whose_transactions_are_not_serializable(String isolation) {
    String url = schema.url("-c default_transaction_isolation=" + isolation);
    assertThatThrownBy(() -> JdbcStore.at(url).dialect(Dialect.COCKROACHDB).open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll("not at SERIALIZABLE", "default_transaction_isolation");
  }

  @Test
  void a_read_replica() throws SQLException {
    try (var database =
        new PretendingDatabase(
            "pg_is_in_recovery()", " RETURNS boolean LANGUAGE sql AS 'SELECT true'")) {
      isRefused(database.url(), "read replica", "primary");
    }
  }

  @Test
  void a_session_that_may_only_read() {
    refuses("-c default_transaction_read_only=on", "read-only", "primary");
  }

  @Test
  void a_path_that_leads_nowhere() {
    String url = PostgresServer.url() + "&currentSchema=no_such_schema";
    isRefused(url, "no_such_schema", "currentSchema");
  }

  @Test
  void a_missing_schema_names_the_command() {
    assertThatThrownBy(() -> schema.store().open()).hasMessageContaining("leasehold migrate");
  }

  /** Lends connections until it is switched off. */
  private static final class Switched extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;
    private volatile boolean off;

    @Override
    public Connection getConnection() throws SQLException {
      if (off) {
        throw new SQLException("switched off", "08001");
      }
      return super.getConnection();
    }
  }

  @Test
  void where_no_connection_can_be_had_nothing_was_sent() {
    Switched source = new Switched();
    source.setUrl(schema.url(""));
    try (JdbcStore store = JdbcStore.on(source).migrate().open()) {
      source.off = true;
      assertThat(
              TestCommands.outcome(
                  store.leases(), TestCommands.acquiring(new LeaseKey("lock/report"))))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED);
                assertThat(failed.detail()).contains("no connection to the store");
              });
      source.off = false;
      TestCommands.acquireAndRelease(store.leases(), new LeaseKey("lock/report"));
    }
  }

  @Test
  void a_user_without_privileges_beyond_its_tables_will_do() throws SQLException {
    JdbcStore.at(schema.url("")).migrate().open().close();
    String role = "clerk_" + System.identityHashCode(this);
    String name = schema.value("SELECT current_schema()");
    schema.execute("CREATE ROLE " + role);
    schema.execute("GRANT USAGE ON SCHEMA " + name + " TO " + role);
    schema.execute("GRANT ALL ON ALL TABLES IN SCHEMA " + name + " TO " + role);
    try (JdbcStore store = JdbcStore.at(schema.url("-c role=" + role)).migrate().open()) {
      TestCommands.acquireAndRelease(store.leases(), new LeaseKey("lock/report"));
      assertThat(TestCommands.get(store.diagnostics().deliversChanges())).isTrue();
    } finally {
      schema.execute("DROP OWNED BY " + role);
      schema.execute("DROP ROLE " + role);
    }
  }
}
