package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.GuardRefusal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user's connection whose search_path begins with another user's schema, which has operators of
 * exactly the types that a check compares, and functions, types and tables with the store's names.
 * None of them may decide.
 */
class ForeignPathTest {
  private static final Duration TRUST = Duration.ofSeconds(30);
  private static final String INSERT_A = "INSERT INTO %s.orders VALUES (7, 'shard/a', 'x')";

  private GuardedTable table;
  private String home;
  private String foreign;
  private AtEffect effects;
  private Claim stale;
  private Claim current;
  private Claim released;

  @BeforeEach
  void open() throws SQLException {
    table = new GuardedTable("read\\ committed");
    table.guardByColumn();
    home = table.schema.value("SELECT current_schema()");
    foreign = home + "_foreign";
    effects = table.store.atEffect("orders", new RefusalTrail(InstantSource.system()));
    Token first = TestCommands.acquireAndRelease(table.store.leases(), GuardedTable.A);
    Token second = TestCommands.acquire(table.store.leases(), GuardedTable.A);
    stale = Claim.of(GuardedTable.A, first).ofInstance(TestCommands.ANN.id().text());
    current = Claim.of(GuardedTable.A, second).ofInstance(TestCommands.ANN.id().text());
    Token ofB = TestCommands.acquireAndRelease(table.store.leases(), GuardedTable.B);
    released = Claim.of(GuardedTable.B, ofB).ofInstance(TestCommands.ANN.id().text());
    for (String sql : Foreign.statements(foreign, home, first)) {
      table.schema.execute(sql);
    }
  }

  @AfterEach
  void close() throws SQLException {
    table.schema.execute("DROP SCHEMA " + foreign + " CASCADE");
    table.close();
  }

  private Connection connect(String path) throws SQLException {
    Connection connection = DriverManager.getConnection(PostgresServer.url());
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = " + path);
    }
    connection.setAutoCommit(false);
    return connection;
  }

  private String path(boolean builtInsLast) {
    return builtInsLast ? foreign + ", " + home + ", pg_catalog" : foreign + ", " + home;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_claim_without_a_current_grant_is_refused(boolean builtInsLast) throws SQLException {
    Claim another = current.ofInstance(AtEffectContract.BOB.id().text());
    try (Connection connection = connect(path(builtInsLast))) {
      for (Claim claim : List.of(stale, released, another)) {
        assertThatThrownBy(() -> effects.check(connection, claim, TRUST))
            .isInstanceOf(ClaimRefusedException.class);
        connection.rollback();
        assertThat(changedByFragment(connection, claim)).isZero();
        assertThat(effects.explain(connection, claim)).isInstanceOf(Admission.Refused.class);
        connection.rollback();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_current_one_passes_and_its_lock_holds(boolean builtInsLast) throws SQLException {
    try (Connection connection = connect(path(builtInsLast))) {
      effects.check(connection, current, TRUST);
      assertThat(
              TestCommands.outcome(
                  table.store.leases(), TestCommands.releasing(current.key(), current.token())))
          .isInstanceOf(Outcome.Failed.class);
      connection.rollback();
      assertThat(changedByFragment(connection, current)).isOne();
      assertThat(effects.explain(connection, current)).isEqualTo(Admission.ADMITTED);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_transaction_is_bounded(boolean builtInsLast) throws SQLException {
    try (Connection connection = connect(path(builtInsLast));
        Statement statement = connection.createStatement()) {
      effects.check(connection, current, TRUST);
      for (String limit : List.of("idle_in_transaction_session_timeout", "statement_timeout")) {
        try (var rows = statement.executeQuery("SHOW " + limit)) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).as(limit).isEqualTo("30s");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_guarded_table_hears_what_is_brought(boolean builtInsLast) throws SQLException {
    try (Connection connection = connect(path(builtInsLast));
        Statement statement = connection.createStatement()) {
      AtEffect.Brought unused = effects.bring(connection, current);
      assertThat(statement.executeUpdate(INSERT_A.formatted(home))).isOne();
      connection.rollback();
      AtEffect.Brought unusedToo = effects.bring(connection, stale);
      assertThatThrownBy(() -> statement.executeUpdate(INSERT_A.formatted(home)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(GuardRefusal.of(e)).contains(GuardRefusal.STALE));
    }
  }

  /** As guarded tables and psql do it: without a claim from Java. */
  @Test
  void another_instance_brings_the_token_in_vain() throws SQLException {
    String other = AtEffectContract.BOB.id().text();
    try (Connection connection = connect(home);
        Statement statement = connection.createStatement()) {
      AtEffect.Brought unused = effects.bring(connection, current.ofInstance(other));
      assertThatThrownBy(() -> statement.executeUpdate(INSERT_A.formatted(home)))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(GuardRefusal.of(e)).contains(GuardRefusal.UNISSUED))
          .hasMessageContaining("another instance");
      connection.rollback();
      statement.execute(
          "SELECT leasehold_bring('%s', %s)".formatted(current.key(), current.token()));
      assertThat(statement.executeUpdate(INSERT_A.formatted(home))).isOne();
      assertThatThrownBy(
              () -> statement.execute("SELECT leasehold_bring('shard/a', 1, 'no instance')"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("LH005"));
    }
  }

  private int changedByFragment(Connection connection, Claim claim) throws SQLException {
    String sql = "INSERT INTO " + home + ".unguarded (id) SELECT 1 WHERE " + effects.fragment();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      effects.bind(statement, 1, claim, TRUST);
      return statement.executeUpdate();
    } finally {
      connection.rollback();
    }
  }

  /** The objects in the schema that comes first. */
  private static final class Foreign {
    private Foreign() {}

    static List<String> statements(String foreign, String home, Token first) {
      return List.of(
          "CREATE TABLE " + home + ".unguarded (id integer)",
          "CREATE SCHEMA " + foreign,
          yes(foreign, "bigint", "bigint", "="),
          yes(foreign, "text", "text", "="),
          yes(foreign, "integer", "integer", "="),
          yes(foreign, "smallint", "integer", "<"),
          yes(foreign, "bigint", "integer", ">="),
          yes(foreign, "interval", "interval", ">"),
          yes(foreign, "interval", "interval", "<="),
          """
          CREATE FUNCTION %1$s.set_config(text, text, boolean) RETURNS text
          LANGUAGE sql AS $$ SELECT ''::text $$
          """
              .formatted(foreign),
          """
          CREATE FUNCTION %1$s.current_setting(text) RETURNS text
          LANGUAGE sql AS $$ SELECT '1ms'::text $$
          """
              .formatted(foreign),
          """
          CREATE FUNCTION %1$s.leasehold_bring(text, bigint, text) RETURNS text
          LANGUAGE sql AS $$ SELECT ''::text $$
          """
              .formatted(foreign),
          """
          CREATE FUNCTION %1$s.leasehold_refuse_check(text, integer, text, bigint, text, text)
          RETURNS pg_catalog.text LANGUAGE sql AS $$ SELECT $1 $$
          """
              .formatted(foreign),
          "CREATE DOMAIN " + foreign + ".text AS integer",
          "CREATE TABLE %1$s.leasehold_lease AS SELECT * FROM %2$s.leasehold_lease"
              .formatted(foreign, home),
          """
          UPDATE %1$s.leasehold_lease SET last_token = %2$s, grant_token = %2$s, standing = 0
          """
              .formatted(foreign, first),
          "CREATE TABLE %1$s.leasehold_store AS SELECT * FROM %2$s.leasehold_store"
              .formatted(foreign, home),
          "CREATE TABLE %1$s.leasehold_floor AS SELECT * FROM %2$s.leasehold_floor"
              .formatted(foreign, home));
    }

    /** An operator that is always true, for exactly these types. */
    private static String yes(String foreign, String left, String right, String operator) {
      String function = "yes_" + left + "_" + Integer.toHexString(operator.hashCode());
      return """
      CREATE FUNCTION %1$s.%2$s(%3$s, %4$s) RETURNS boolean LANGUAGE sql AS 'SELECT true';
      CREATE OPERATOR %1$s.%5$s (FUNCTION = %1$s.%2$s, LEFTARG = %3$s, RIGHTARG = %4$s)
      """
          .formatted(foreign, function, left, right, operator);
    }
  }
}
