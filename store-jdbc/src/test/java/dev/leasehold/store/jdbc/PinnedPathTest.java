package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.DelegatingSource;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A role that may create objects in the store's schema adds operators that match the operands of
 * the store's statements better than the built-in ones. They must not be called.
 */
class PinnedPathTest {
  private static final LeaseKey KEY = new LeaseKey("lock/one");
  private static final Instance THIEF = Instance.of("e".repeat(32));

  /** Puts the clock forward by an hour: the built-in operator needs a cast here, this one none. */
  private static final String CLOCK_TURNED =
      """
      CREATE FUNCTION turned(double precision, integer) RETURNS double precision
        LANGUAGE sql AS 'SELECT $1 OPERATOR(pg_catalog.*) $2::double precision + 3600000';
      CREATE OPERATOR * (LEFTARG = double precision, RIGHTARG = integer, FUNCTION = turned);
      """;

  /** Parameters come as varchar, and there is no built-in operator for just these two. */
  private static final String NOTHING_EQUALS =
      """
      CREATE FUNCTION unlike(text, varchar) RETURNS boolean
        LANGUAGE sql AS 'SELECT false';
      CREATE OPERATOR = (LEFTARG = text, RIGHTARG = varchar, FUNCTION = unlike);
      """;

  private final String thief = "thief_" + Long.toHexString(System.identityHashCode(this));
  private final List<Connection> pooled = new ArrayList<>();
  private Schema schema;

  /** Where the store gets its connections. */
  enum From {
    URL,
    POOL_OF_THE_APPLICATION
  }

  @BeforeEach
  void makeSchema() throws SQLException {
    schema = new Schema();
    schema.execute("CREATE ROLE " + thief);
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : pooled) {
      connection.close();
    }
    schema.close();
    try (Connection admin = DriverManager.getConnection(PostgresServer.url());
        Statement statement = admin.createStatement()) {
      statement.execute("DROP ROLE " + thief);
    }
  }

  /** As PostgreSQL 13 and 14 allow every role, in public. */
  private void plant(String sql) throws SQLException {
    schema.execute("GRANT USAGE, CREATE ON SCHEMA " + schema.name() + " TO " + thief);
    schema.execute("SET ROLE " + thief);
    schema.execute(sql);
    schema.execute("RESET ROLE");
  }

  private JdbcStoreBuilder store(From from) {
    return from == From.URL ? schema.store() : JdbcStore.on(source());
  }

  /** A pool that lends connections as they were returned. */
  private DataSource source() {
    List<Connection> idle = new ArrayList<>();
    PGSimpleDataSource driver = new PGSimpleDataSource();
    driver.setUrl(schema.url(""));
    return new DelegatingSource(driver) {
      @Override
      public Connection getConnection() throws SQLException {
        synchronized (idle) {
          Optional<Connection> kept = Optional.empty();
          while (kept.isEmpty() && !idle.isEmpty()) {
            kept = Optional.of(idle.removeLast()).filter(PinnedPathTest::isOpen);
          }
          Connection real = kept.isPresent() ? kept.get() : driver.getConnection();
          pooled.add(real);
          return ReturnedOnClose.by(
              real,
              connection -> {
                synchronized (idle) {
                  idle.add(connection);
                }
              });
        }
      }
    };
  }

  private static boolean isOpen(Connection connection) {
    try {
      return !connection.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  private static Command steal() {
    return Command.Acquire.of(KEY, THIEF, RequestId.random(), Terms.of("thief", TestCommands.TTL));
  }

  @ParameterizedTest
  @EnumSource
  void a_live_lease_does_not_go_to_a_thief_who_turns_the_clock(From from) throws SQLException {
    try (JdbcStore store = store(from).migrate().open()) {
      Token token = TestCommands.acquire(store.leases(), KEY);
      plant(CLOCK_TURNED);
      assertThat(TestCommands.outcome(store.leases(), steal())).isInstanceOf(Outcome.Held.class);
      assertThat(
              TestCommands.outcome(store.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_store_that_is_opened_later_does_not_see_it_either(From from) throws SQLException {
    try (JdbcStore store = store(from).migrate().open()) {
      Token unused = TestCommands.acquire(store.leases(), KEY);
    }
    plant(CLOCK_TURNED);
    try (JdbcStore store = store(from).open()) {
      assertThat(TestCommands.outcome(store.leases(), steal())).isInstanceOf(Outcome.Held.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_record_is_found_with_any_meaning_of_equals_in_the_schema(From from) throws SQLException {
    try (JdbcStore store = store(from).migrate().open()) {
      Token token = TestCommands.acquire(store.leases(), KEY);
      plant(NOTHING_EQUALS);
      assertThat(TestCommands.get(store.leases().read(KEY))).isPresent();
      TestCommands.release(store.leases(), KEY, token);
    }
  }

  /** Of the schema's functions, the guards pin those that only they call. */
  @Test
  void functions_that_users_call_have_a_path_of_their_own() throws SQLException {
    schema.store().migrate().open().close();
    assertThat(
            schema.value(
                """
                SELECT coalesce(string_agg(p.proname, ' ' ORDER BY p.proname), 'none')
                  FROM pg_proc p
                 WHERE p.pronamespace = current_schema()::regnamespace
                   AND p.proname LIKE 'leasehold%' AND p.proname NOT LIKE 'leasehold_guard%'
                   AND coalesce(array_to_string(p.proconfig, ','), '')
                       NOT LIKE 'search_path=pg_catalog, %pg_temp'
                """))
        .isEqualTo("none");
  }

  /** The trigger that keeps the floor runs with the rights of the role that deletes. */
  @Test
  void a_row_that_is_deleted_by_hand_calls_nothing_of_theirs() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      Token token = TestCommands.acquire(store.leases(), KEY);
      plant(
          "CREATE FUNCTION format(text, name) RETURNS text LANGUAGE sql AS $$SELECT 'SELECT 1'$$");
      schema.execute("DELETE FROM leasehold_lease");
      assertThat(schema.value("SELECT max(token) FROM leasehold_floor"))
          .isEqualTo(Long.toString(token.value()));
    }
  }

  /** It runs with the rights of the holder whose check is refused. */
  @Test
  void a_refusal_calls_nothing_of_theirs() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      Token token = TestCommands.acquireAndRelease(store.leases(), KEY);
      plant(
          """
          CREATE SEQUENCE calls;
          CREATE FUNCTION counted(numeric, integer) RETURNS numeric
            LANGUAGE sql AS 'SELECT nextval(''calls'')::numeric';
          CREATE OPERATOR * (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = counted);
          """);
      AtEffect effects = store.atEffect("orders", new RefusalTrail(InstantSource.system()));
      try (Connection connection = DriverManager.getConnection(schema.url(""))) {
        connection.setAutoCommit(false);
        assertThatThrownBy(
                () -> effects.check(connection, Claim.of(KEY, token), Duration.ofSeconds(30)))
            .isInstanceOf(ClaimRefusedException.class);
      }
      assertThat(schema.value("SELECT is_called FROM calls")).isEqualTo("f");
    }
  }

  @Test
  void doctor_is_told_who_may_create_there() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      assertThat(TestCommands.get(store.diagnostics().schemaCreators()))
          .isEqualTo(new SchemaCreators(schema.name(), List.of()));
      plant(CLOCK_TURNED);
      assertThat(TestCommands.get(store.diagnostics().schemaCreators()))
          .isEqualTo(new SchemaCreators(schema.name(), List.of(thief)));
    }
  }

  @Test
  void connections_of_the_application_keep_their_path() throws SQLException {
    try (JdbcStore store = store(From.POOL_OF_THE_APPLICATION).migrate().open()) {
      Token token = TestCommands.acquire(store.leases(), KEY);
      assertThat(TestCommands.get(store.leases().read(KEY))).isPresent();
      TestCommands.release(store.leases(), KEY, token);
    }
    assertThat(pooled).isNotEmpty();
    for (Connection connection : pooled) {
      if (!connection.isClosed()) {
        assertThat(path(connection)).isEqualTo(schema.name() + ",pg_catalog");
      }
    }
  }

  private static String path(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW search_path")) {
      return row.next() ? row.getString(1).replace(" ", "") : "";
    }
  }
}
