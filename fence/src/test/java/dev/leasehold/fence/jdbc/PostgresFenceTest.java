package dev.leasehold.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.FenceUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresFenceTest extends JdbcFenceContract {
  /**
   * The limit for a stopped process; long enough for others to reach that point on a busy machine.
   */
  private static final Duration BRIEF = Duration.ofSeconds(1);

  @Override
  TargetDatabase open(Path folder) throws Exception {
    return new PostgresDatabase(isolation());
  }

  String isolation() {
    return "read\\ committed";
  }

  @Override
  void sealWithSixDoesNotGetThrough() throws SQLException {
    assertThat(sealing(6)).isNotDone();
  }

  /** A seal that, if it waits at all, waits for a lock when this returns. */
  private CompletableFuture<Admission> sealing(long token) throws SQLException {
    CompletableFuture<Admission> seal = Stopped.running(() -> fence().seal(claim(token)));
    while (!seal.isDone() && ((PostgresDatabase) database()).waiting() == 0) {
      Thread.onSpinWait();
    }
    return seal;
  }

  @Test
  void while_a_seal_waits_no_lower_change_begins() throws Exception {
    assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    Stopped holder = Stopped.inChange(fence(), claim(5));
    CompletableFuture<Admission> seal = sealing(6);
    assertThat(seal).isNotDone();
    assertThat(write(5)).isEqualTo(notMade(stale(6)));
    assertThat(fence().admit(claim(5))).isEqualTo(stale(6));
    assertThat(holder.resume()).isEqualTo(made());
    assertThat(Stopped.get(seal)).isEqualTo(Admission.ADMITTED);
    assertThat(database().count("SELECT count(*) FROM leasehold_mark_coming")).isZero();
    assertThat(write(6)).isEqualTo(made());
  }

  @Test
  void changes_under_one_token_do_not_wait_for_each_other() throws Exception {
    assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    Stopped one = Stopped.inChange(fence(), claim(5));
    Stopped other = Stopped.inChange(fence(), claim(5));
    assertThat(write(5)).isEqualTo(made());
    assertThat(one.resume()).isEqualTo(made());
    assertThat(other.resume()).isEqualTo(made());
    assertThat(entries(5)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_holder_that_stops_inside_its_change_does_not_block_its_successor_for_ever(
      boolean hasSealed) throws Exception {
    JdbcFence brief = fence().longestPause(BRIEF);
    if (hasSealed) {
      assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    }
    Stopped holder = Stopped.inChange(brief, claim(5));
    assertThat(fence().seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(entries(5)).isZero();
    assertThatThrownBy(holder::resume).isInstanceOf(SQLException.class);
    assertThat(entries(5)).isZero();
  }

  @Test
  void a_seal_waits_for_a_check_in_a_transaction_of_the_caller() throws Exception {
    assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      fence().admitIn(connection, claim(5), TRUST);
      CompletableFuture<Admission> seal = sealing(6);
      assertThat(seal).isNotDone();
      Stopped.write(connection, claim(5));
      connection.commit();
      assertThat(Stopped.get(seal)).isEqualTo(Admission.ADMITTED);
    }
  }

  /** Shows why the check must come before the first savepoint. */
  @Test
  void a_check_is_undone_with_the_savepoint_before_it() throws Exception {
    assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      Savepoint before = connection.setSavepoint();
      fence().admitIn(connection, claim(5), TRUST);
      connection.rollback(before);
      assertThat(fence().seal(claim(6))).isEqualTo(Admission.ADMITTED);
      assertThat(answerIn(connection)).isIn(Optional.of(stale(6)), Optional.empty());
      connection.rollback();
    }
  }

  /** Where a process can be stopped with rows locked: after the statement that locks them. */
  enum Halt {
    ANNOUNCING("INTO leasehold_mark_coming", fence -> fence.seal(claim(5))),
    RAISING("INTO leasehold_mark (", fence -> fence.seal(claim(5))),
    RAISING_BY_A_CHANGE("INTO leasehold_mark (", fence -> write(fence, claim(5))),
    RESETTING("DELETE FROM leasehold_mark ", fence -> fence.reset(KEY, "ann", "a test")),
    KEEPING("DELETE FROM leasehold_mark_trail", PostgresFenceTest::keep);

    final String statement;

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    final SqlAction action;

    Halt(String statement, SqlAction action) {
      this.statement = statement;
      this.action = action;
    }
  }

  interface SqlAction {
    Object with(JdbcFence fence) throws SQLException;
  }

  private static String keep(JdbcFence fence) {
    fence.keep(claim(1), stale(4));
    return "kept, or logged";
  }

  @ParameterizedTest
  @EnumSource
  void a_process_stopped_with_a_mark_locked_blocks_no_other_for_ever(Halt halt) throws Exception {
    assertThat(fence().seal(claim(4))).isEqualTo(Admission.ADMITTED);
    fillTrail(1_200);
    HaltingSource source = new HaltingSource(database().source(), halt.statement);
    JdbcFence halting = JdbcFence.before("orders", source.proxy()).longestPause(BRIEF);
    CompletableFuture<Object> stopped = Stopped.running(() -> halt.action.with(halting));
    source.awaitHalt();
    CompletableFuture<Admission> seal = Stopped.running(() -> fence().seal(claim(6)));
    assertThat(Stopped.get(seal)).isEqualTo(Admission.ADMITTED);
    fence().keep(claim(1), stale(6));
    assertThat(fence().trail(5_000)).hasSize(MarkTrail.KEPT);
    source.resume();
    if (halt == Halt.KEEPING) {
      assertThat(Stopped.get(stopped)).isEqualTo("kept, or logged");
    } else {
      assertThatThrownBy(() -> Stopped.get(stopped))
          .isInstanceOfAny(SQLException.class, FenceUnavailableException.class);
    }
    assertThat(fence().admit(claim(6))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void how_long_a_change_waits_for_its_own_locks_is_its_own_affair() throws Exception {
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET lock_timeout = '42s'");
        fence().admitIn(connection, claim(5), TRUST);
        try (ResultSet rows = statement.executeQuery("SHOW lock_timeout")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("42s");
        }
      }
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_check_in_a_transaction_of_the_caller_is_bounded_by_its_trust(boolean hasSealed)
      throws Exception {
    if (hasSealed) {
      assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    }
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      fence().longestPause(Duration.ofHours(1)).admitIn(connection, claim(5), BRIEF);
      // The process is stopped here, and sends nothing more until its successor has sealed.
      assertThat(fence().longestPause(BRIEF).seal(claim(6))).isEqualTo(Admission.ADMITTED);
      assertThatThrownBy(() -> Stopped.write(connection, claim(5)))
          .isInstanceOf(SQLException.class);
      assertThat(connection.isClosed()).isTrue();
    }
    assertThat(entries(5)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"idle_in_transaction_session_timeout", "statement_timeout"})
  void a_lower_limit_of_the_callers_stays(String limit) throws Exception {
    JdbcFence patient = fence().longestPause(Duration.ofHours(1));
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      for (String before : List.of("0", "5min", "20s")) {
        statement.execute("SET " + limit + " = '" + before + "'");
        connection.setAutoCommit(false);
        patient.admitIn(connection, claim(5), TRUST);
        assertThat(value(statement, limit)).isEqualTo(before.equals("20s") ? "20s" : "30s");
        connection.commit();
        assertThat(value(statement, limit)).isEqualTo(before);
        connection.setAutoCommit(true);
      }
    }
  }

  /** The server checks no timeout of its own while it sends, so the kernel must end that. */
  @Test
  void a_client_that_stops_reading_is_bounded_too() throws Exception {
    JdbcFence patient = fence().longestPause(Duration.ofHours(1));
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      for (String before : List.of("0", "20000", "300000")) {
        statement.execute("SET tcp_user_timeout = " + before);
        connection.setAutoCommit(false);
        patient.admitIn(connection, claim(5), TRUST);
        assertThat(value(statement, "tcp_user_timeout"))
            .isEqualTo(before.equals("20000") ? "20000" : "30000");
        connection.commit();
        assertThat(value(statement, "tcp_user_timeout")).isEqualTo(before);
        connection.setAutoCommit(true);
      }
    }
  }

  private static String value(Statement statement, String limit) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SHOW " + limit)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  /** They are in a schema before the built-in one, with exactly the compared types. */
  @Test
  void operators_and_functions_of_others_decide_nothing() throws Exception {
    assertThat(fence().seal(claim(6))).isEqualTo(Admission.ADMITTED);
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      for (String type : List.of("bigint", "text")) {
        for (String operator : List.of("=", "<=")) {
          statement.execute(
              """
              CREATE FUNCTION yes_%1$s_%3$d(%1$s, %1$s) RETURNS boolean
              LANGUAGE sql AS 'SELECT true';
              CREATE OPERATOR %2$s (FUNCTION = yes_%1$s_%3$d, LEFTARG = %1$s, RIGHTARG = %1$s)
              """
                  .formatted(type, operator, operator.length()));
        }
      }
      statement.execute(
          "CREATE FUNCTION set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT"
              + " $1'");
      statement.execute(
          "SELECT pg_catalog.set_config('search_path', current_schema() || ', pg_catalog', false)");
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> fence().admitIn(connection, claim(5), TRUST))
          .isInstanceOf(ClaimRefusedException.class);
      connection.rollback();
      fence().admitIn(connection, claim(6), TRUST);
      assertThat(value(statement, "statement_timeout")).isEqualTo("30s");
      connection.rollback();
    }
  }
}
