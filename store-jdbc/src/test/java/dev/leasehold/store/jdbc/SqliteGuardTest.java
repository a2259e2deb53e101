package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Guard;
import dev.leasehold.store.jdbc.effects.GuardHole;
import dev.leasehold.store.jdbc.effects.GuardRefusal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Guarded tables, as far as SQLite allows. */
class SqliteGuardTest {
  private static final LeaseKey A = new LeaseKey("shard/a");
  private static final LeaseKey B = new LeaseKey("shard/b");
  private static final String INSERT_A = "INSERT INTO \"my orders\" VALUES (2, 'shard/a')";
  private static final String INSERT_B = "INSERT INTO \"my orders\" VALUES (3, 'shard/b')";
  private static final Guard BY_COLUMN = Guard.byColumn("my orders", "lease");

  @TempDir Path folder;
  private JdbcStore store;
  private AtEffect effects;
  private Connection anybody;
  private Token ofA;
  private Token ofB;

  @BeforeEach
  void open() throws SQLException {
    store = JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
    effects = store.atEffect("orders", new RefusalTrail(InstantSource.system()));
    anybody = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("leases.db"));
    Token unused = TestCommands.acquireAndRelease(store.leases(), A);
    ofA = TestCommands.acquire(store.leases(), A);
    ofB = TestCommands.acquire(store.leases(), B);
    execute("CREATE TABLE \"my orders\" (id INTEGER PRIMARY KEY, lease TEXT)");
    execute("INSERT INTO \"my orders\" VALUES (1, 'shard/a')");
  }

  @AfterEach
  void close() throws SQLException {
    anybody.close();
    store.close();
  }

  private void execute(String sql) throws SQLException {
    execute(anybody, sql);
  }

  private static int execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private int count(String table) throws SQLException {
    try (Statement statement = anybody.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return rows.getInt(1);
    }
  }

  private void install(Guard guard) {
    Guard unused = TestCommands.get(store.guards().install(guard));
  }

  private Optional<GuardRefusal> refusal(Claim claim, String sql) throws SQLException {
    try {
      Changed<Integer> changed =
          effects.change(claim, Duration.ofSeconds(30), connection -> execute(connection, sql));
      assertThat(changed).isInstanceOf(Changed.Made.class);
      return Optional.empty();
    } catch (SQLException e) {
      assertThat(GuardRefusal.of(e)).as(e.toString()).isPresent();
      return GuardRefusal.of(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO \"my orders\" VALUES (2, 'shard/a')",
        "UPDATE \"my orders\" SET id = 7",
        "DELETE FROM \"my orders\""
      })
  void code_that_forgot_is_refused(String sql) throws SQLException {
    install(BY_COLUMN);
    assertThatThrownBy(() -> execute(sql))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("LH001: ")
        .hasMessageContaining("AtEffect.change");
    assertThat(count("\"my orders\" WHERE id = 1")).isOne();
  }

  @Test
  void changes_at_effect_pass_for_the_rows_of_their_lease() throws SQLException {
    install(BY_COLUMN);
    assertThat(refusal(Claim.of(A, ofA), INSERT_A)).isEmpty();
    assertThat(refusal(Claim.of(A, ofA), INSERT_B)).contains(GuardRefusal.OTHER_LEASE);
    assertThat(refusal(Claim.of(B, ofB), "DELETE FROM \"my orders\""))
        .contains(GuardRefusal.OTHER_LEASE);
    assertThat(refusal(Claim.of(B, ofB), "UPDATE \"my orders\" SET lease = 'shard/b'"))
        .contains(GuardRefusal.OTHER_LEASE);
    assertThat(refusal(Claim.of(A, ofA), "UPDATE \"my orders\" SET lease = 'shard/b'"))
        .contains(GuardRefusal.OTHER_LEASE);
    assertThat(count("leasehold_brought")).isZero();
    assertThatThrownBy(() -> execute(INSERT_B)).hasMessageContaining("LH001: ");
  }

  @Test
  void in_the_callers_transaction_the_tokens_are_checked_by_the_table() throws SQLException {
    install(BY_COLUMN);
    anybody.setAutoCommit(false);
    AtEffect.Brought both = effects.bring(anybody, Claim.of(A, ofA), Claim.of(B, ofB));
    execute(INSERT_A);
    execute(INSERT_B);
    execute("UPDATE \"my orders\" SET lease = 'shard/b'");
    both.close();
    anybody.commit();
    for (Token stale : new Token[] {ofB, ofA}) {
      if (stale.equals(ofA)) {
        TestCommands.release(store.leases(), A, ofA);
      }
      var unused = effects.bring(anybody, Claim.of(A, stale));
      assertThatThrownBy(() -> execute("INSERT INTO \"my orders\" VALUES (9, 'shard/a')"))
          .hasMessageContaining("LH002: ");
      anybody.rollback();
    }
    var unused = effects.bring(anybody, Claim.of(A, Token.HIGHEST));
    assertThatThrownBy(() -> execute("INSERT INTO \"my orders\" VALUES (9, 'shard/a')"))
        .hasMessageContaining("LH003: ");
    anybody.rollback();
    assertThat(count("\"my orders\"")).isEqualTo(3);
  }

  /** A caller that forgets to close leaves the table open; the next change finds and closes it. */
  @Test
  void what_was_left_behind_is_cleared_by_the_next_change() throws SQLException {
    install(BY_COLUMN);
    var unused = effects.bring(anybody, Claim.of(B, ofB));
    assertThat(refusal(Claim.of(A, ofA), INSERT_B)).contains(GuardRefusal.OTHER_LEASE);
    assertThat(refusal(Claim.of(A, ofA), INSERT_A)).isEmpty();
    assertThat(count("leasehold_brought")).isZero();
  }

  @Test
  void a_guard_is_listed_and_taken_away_again() throws SQLException {
    install(Guard.byKey("my orders", A));
    assertThat(TestCommands.get(store.guards().list()))
        .containsExactly(Guard.byKey("my orders", A));
    assertThat(TestCommands.get(store.guards().holes())).isEmpty();
    assertThat(TestCommands.get(store.guards().passes())).isEmpty();
    assertThat(refusal(Claim.of(B, ofB), INSERT_B)).contains(GuardRefusal.OTHER_LEASE);
    assertThat(refusal(Claim.of(A, ofA), INSERT_B)).isEmpty();
    execute("DROP TRIGGER \"leasehold_guard_delete_my orders\"");
    assertThat(TestCommands.get(store.guards().holes()))
        .containsExactly(
            new GuardHole("my orders", "a trigger of its guard is gone: install it again"));
    install(Guard.byKey("my orders", A));
    assertThat(TestCommands.get(store.guards().holes())).isEmpty();
    assertThat(refusal(Claim.of(B, ofB), "DELETE FROM \"my orders\""))
        .contains(GuardRefusal.OTHER_LEASE);
    assertThat(TestCommands.get(store.guards().remove("my orders"))).isEqualTo("my orders");
    assertThat(TestCommands.get(store.guards().list())).isEmpty();
    assertThat(count("sqlite_master WHERE type = 'trigger' AND tbl_name = 'my orders'")).isZero();
    execute(INSERT_A);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nowhere         | lease | there is no table nowhere
          my orders       | leese | table my orders has no column leese
          my orders       | id    | column id of table my orders is of type INTEGER: keys are text
          leasehold_lease | key   | leasehold_lease is a table of the store itself
          """)
  void what_cannot_be_guarded_is_told(String name, String column, String expected) {
    assertThatThrownBy(() -> installing(Guard.byColumn(name, column)))
        .cause()
        .hasMessageStartingWith(expected);
  }

  @Test
  void nor_in_two_ways_nor_for_a_role() {
    assertThatThrownBy(() -> installing(BY_COLUMN.maintainedBy("dba")))
        .hasMessageContaining("SQLite has no roles");
    install(BY_COLUMN);
    assertThatThrownBy(() -> installing(Guard.byKey("my orders", A)))
        .hasMessageContaining("is guarded already");
    assertThat(TestCommands.get(store.guards().list())).containsExactly(BY_COLUMN);
  }

  private void installing(Guard guard) {
    var unused = store.guards().install(guard).toCompletableFuture().join();
  }
}
