package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** At effect on PostgreSQL: the change is stopped between its check and its commit. */
class PostgresAtEffectTest extends AtEffectContract {
  /** Longer than a command waits for a lock. */
  private static final Duration SHORT_TRUST = Duration.ofSeconds(2);

  private static final int FIRST_WITH_A_LIMIT = 17;

  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "read\\ committed");
  }

  /** Nothing was changed, because another transaction keeps the row locked. */
  private static void isHeldBack(Outcome outcome) {
    assertThat(outcome).isInstanceOfAny(Outcome.Held.class, Outcome.Failed.class);
    if (outcome instanceof Outcome.Failed failed) {
      assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED);
      assertThat(failed.detail()).contains("locked by another");
    }
  }

  private void holdsBack(Token token, List<Command> endings) throws SQLException {
    Changed<Integer> changed =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              for (Command ending : endings) {
                isHeldBack(TestCommands.outcome(other.leases(), ending));
                assertThat(
                        TestCommands.outcome(
                            store.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
                    .as("renewed while " + ending + " waits")
                    .isInstanceOf(Outcome.Renewed.class);
              }
              return note(connection);
            });
    assertThat(changed).isEqualTo(new Changed.Made<>(1));
    assertThat(notes()).isOne();
  }

  @Test
  void an_ending_command_waits_for_the_commit_and_renewals_go_on() throws SQLException {
    Terms stalling =
        Terms.of("ann", TestCommands.TTL).withStallLimit(StallLimit.of(TestCommands.TTL));
    Command acquire = Command.Acquire.of(KEY, TestCommands.ANN, RequestId.random(), stalling);
    Token token = ((Outcome.Granted) TestCommands.outcome(store.leases(), acquire)).grant().token();
    Command release = TestCommands.releasing(KEY, token);
    holdsBack(
        token,
        List.of(
            release,
            handingOver(token),
            revoking(),
            new Command.EndStalled(KEY, token),
            new Command.Abandon(KEY, TestCommands.ANN, acquireRequest(acquire))));
    assertThat(TestCommands.outcome(other.leases(), release)).isInstanceOf(Outcome.Released.class);
  }

  private static RequestId acquireRequest(Command acquire) {
    return ((Command.Acquire) acquire).requestId();
  }

  @Test
  void a_takeover_waits_for_the_commit() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Changed<Integer> changed =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              expire();
              isHeldBack(TestCommands.outcome(other.leases(), bobAsks()));
              return note(connection);
            });
    assertThat(changed).isEqualTo(new Changed.Made<>(1));
    Token next = takeOver(other.leases());
    assertThat(effects.change(claim(token), TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.NotMade<>(new Admission.Stale(next)));
  }

  @Test
  void an_advance_waits_for_the_commit() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Changed<Integer> changed =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              assertThatThrownBy(
                      () -> other.leases().advance(advancing()).toCompletableFuture().join())
                  .isInstanceOf(CompletionException.class)
                  .hasMessageContaining("lock timeout");
              return note(connection);
            });
    assertThat(changed).isEqualTo(new Changed.Made<>(1));
  }

  /** A check during an advance of the incarnation waits, and must not use the state from before. */
  @Test
  void a_change_that_waits_for_an_advance_is_refused_by_it() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection advance = handles.connect();
        Statement statement = advance.createStatement()) {
      advance.setAutoCommit(false);
      boolean unused = statement.execute(Dialect.POSTGRESQL.sql().get("lock-out-writers"));
      assertThat(
              statement.executeUpdate("UPDATE leasehold_store SET incarnation = incarnation + 1"))
          .isOne();
      CompletableFuture<Changed<Integer>> change =
          CompletableFuture.supplyAsync(() -> changing(token));
      awaitWaiting(change);
      advance.commit();
      assertThat(TestCommands.get(change))
          .isEqualTo(new Changed.NotMade<>(new Admission.Stale(token)));
    }
    assertThat(notes()).isZero();
  }

  private Changed<Integer> changing(Token token) {
    try {
      return effects.change(claim(token), TRUST, AtEffectContract::note);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Until a connection of this schema waits for a lock, or the future is complete. */
  private void awaitWaiting(CompletableFuture<?> unlessDone) throws SQLException {
    String waiting =
        """
        SELECT 1 FROM pg_stat_activity
         WHERE application_name = current_schema() AND wait_event_type = 'Lock'
           AND query LIKE '%transaction_timeout%'
        """;
    try (Connection connection = handles.connect();
        Statement statement = connection.createStatement()) {
      boolean found = false;
      while (!found && !unlessDone.isDone()) {
        try (ResultSet rows = statement.executeQuery(waiting)) {
          found = rows.next();
        }
      }
    }
  }

  @Test
  void a_check_and_a_fragment_in_the_callers_transaction_hold_back_as_well() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      effects.check(connection, claim(token), TRUST);
      isHeldBack(TestCommands.outcome(other.leases(), bobAsks()));
      connection.rollback();
      try (var statement =
          connection.prepareStatement(
              "INSERT INTO notes (id, text) SELECT 1, 'x' WHERE " + effects.fragment())) {
        effects.bind(statement, 1, claim(token), TRUST);
        assertThat(statement.executeUpdate()).isOne();
      }
      isHeldBack(TestCommands.outcome(other.leases(), bobAsks()));
      connection.commit();
    }
    assertThat(takeOver(other.leases())).isGreaterThan(token);
  }

  /** Why a check must be repeated after a rollback to a savepoint. */
  @Test
  void a_rollback_to_a_savepoint_before_the_check_takes_its_lock_away() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      Savepoint before = connection.setSavepoint();
      effects.check(connection, claim(token), TRUST);
      isHeldBack(TestCommands.outcome(other.leases(), bobAsks()));
      connection.rollback(before);
      assertThat(takeOver(other.leases())).isGreaterThan(token);
      // At SERIALIZABLE the snapshot does not change, so the transaction has to be run again.
      assertThatThrownBy(() -> effects.check(connection, claim(token), TRUST))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isIn("LH002", "40001"));
      connection.rollback();
    }
  }

  /** As if its process were stopped: it sends nothing more to the server until it is replaced. */
  @Test
  void a_holder_that_is_stopped_inside_of_a_change_blocks_no_other_for_ever() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    AtomicBoolean granted = new AtomicBoolean();
    expire();
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    SHORT_TRUST,
                    connection -> {
                      int unused = note(connection);
                      granted.set(isGrantedInTheEnd());
                      return note(connection);
                    }))
        .isInstanceOf(SQLException.class);
    assertThat(granted).isTrue();
    assertThat(notes()).isZero();
  }

  /** First waits in the database's own queue, until the server has ended the transaction. */
  private boolean isGrantedInTheEnd() throws SQLException {
    isHeldBack(TestCommands.outcome(other.leases(), bobAsks()));
    try (Connection waiting = handles.connect();
        var lock = waiting.prepareStatement("SELECT 1 FROM leasehold_lease FOR UPDATE")) {
      boolean unused = lock.execute();
    }
    return TestCommands.outcome(other.leases(), bobAsks()) instanceof Outcome.Granted;
  }

  /** The same in a transaction of the caller's own: only the server can end that. */
  @Test
  void nor_does_one_that_is_stopped_after_a_check_in_its_own_transaction() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      effects.check(connection, claim(token), SHORT_TRUST);
      assertThat(isGrantedInTheEnd()).isTrue();
      // The server has closed the connection.
      assertThatThrownBy(() -> note(connection)).isInstanceOf(SQLException.class);
      assertThat(connection.isClosed()).isTrue();
    }
  }

  @Test
  void nor_one_that_is_stopped_after_a_statement_with_the_fragment() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    try (Connection connection = handles.connect();
        var statement =
            connection.prepareStatement(
                "INSERT INTO notes (id, text) SELECT 1, 'x' WHERE " + effects.fragment())) {
      connection.setAutoCommit(false);
      effects.bind(statement, 1, claim(token), SHORT_TRUST);
      assertThat(statement.executeUpdate()).isOne();
      assertThat(isGrantedInTheEnd()).isTrue();
      assertThatThrownBy(() -> note(connection)).isInstanceOf(SQLException.class);
    }
    assertThat(notes()).isZero();
  }

  @Test
  void a_check_bounds_the_transaction_and_raises_no_lower_limit() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    List<String> limits =
        serverVersion() < FIRST_WITH_A_LIMIT
            ? List.of("idle_in_transaction_session_timeout", "statement_timeout")
            : List.of(
                "idle_in_transaction_session_timeout", "statement_timeout", "transaction_timeout");
    try (Connection connection = handles.connect()) {
      for (String limit : limits) {
        for (String before : List.of("0", "5min", "20s")) {
          set(connection, limit, before);
          connection.setAutoCommit(false);
          effects.check(connection, claim(token), TRUST);
          String during = value(connection, limit);
          effects.check(connection, claim(token), TRUST.plusSeconds(1));
          assertThat(value(connection, limit)).as(limit + " was " + before).isEqualTo(during);
          connection.rollback();
          connection.setAutoCommit(true);
          assertThat(during).isEqualTo(before.equals("20s") ? "20s" : "30s");
          assertThat(value(connection, limit)).as("afterwards").isEqualTo(before);
        }
        set(connection, limit, "0");
      }
    }
  }

  /** Otherwise the first lease's row would be locked for longer than its holder's trust. */
  @Test
  void a_second_check_prolongs_no_limit_that_has_run_for_a_while() throws SQLException {
    assumeThat(serverVersion()).isGreaterThanOrEqualTo(FIRST_WITH_A_LIMIT);
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      effects.check(connection, claim(token), TRUST);
      set(connection, "leasehold.bounded_at", "2020-01-01 00:00:00+00");
      effects.check(connection, claim(token), TRUST.minusSeconds(1));
      assertThat(value(connection, "transaction_timeout")).isEqualTo("30s");
      connection.rollback();
    }
  }

  /** The server checks no timeout of its own while it sends, so the kernel has to end that. */
  @Test
  void a_client_that_stops_reading_is_bounded_too() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect()) {
      for (String before : List.of("0", "20000", "300000")) {
        set(connection, "tcp_user_timeout", before);
        connection.setAutoCommit(false);
        effects.check(connection, claim(token), TRUST);
        assertThat(value(connection, "tcp_user_timeout"))
            .as("it was " + before)
            .isEqualTo(before.equals("20000") ? "20000" : "30000");
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(value(connection, "tcp_user_timeout")).as("afterwards").isEqualTo(before);
      }
    }
    Changed<String> during =
        effects.change(claim(token), TRUST, connection -> value(connection, "tcp_user_timeout"));
    assertThat(Integer.parseInt(((Changed.Made<String>) during).result())).isBetween(1, 30_000);
  }

  private static void set(Connection connection, String limit, String value) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET " + limit + " = '" + value + "'");
    }
  }

  private static String value(Connection connection, String limit) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW " + limit)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  private static boolean hang(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("SELECT pg_sleep(600)");
    }
  }

  @Test
  void nor_does_one_whose_statement_hangs() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    assertThatThrownBy(() -> effects.change(claim(token), SHORT_TRUST, PostgresAtEffectTest::hang))
        .isInstanceOfSatisfying(
            SQLException.class,
            // Ended by the server: a statement that took too long, or a transaction.
            e -> assertThat(e.getSQLState()).isIn("57014", "25P04"));
    assertThat(effects.change(claim(token), TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.Made<>(1));
  }

  /** Setting another timeout does not change the one that is running. */
  @Test
  void nor_where_the_server_has_a_longer_limit_of_its_own() throws SQLException {
    assumeThat(serverVersion()).isGreaterThanOrEqualTo(FIRST_WITH_A_LIMIT);
    String limited = "read\\ committed -c transaction_timeout=60s";
    try (TwoHandles bounded =
        new PostgresStoreUnderTest(TestCommands.START_MILLIS, Dialect.POSTGRESQL, limited)) {
      JdbcStore itsStore = bounded.jdbc();
      Token token = TestCommands.acquire(itsStore.leases(), KEY);
      AtEffect itsEffects = itsStore.atEffect("notes", trail);
      assertThatThrownBy(
              () -> itsEffects.change(claim(token), SHORT_TRUST, PostgresAtEffectTest::hang))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P04"));
    }
  }

  private int serverVersion() throws SQLException {
    try (Connection connection = handles.connect()) {
      return connection.getMetaData().getDatabaseMajorVersion();
    }
  }

  /** A snapshot from before the grant shows no lease, which does not prove lost writes. */
  @Test
  void a_transaction_that_is_older_than_the_lease_has_to_be_run_again() throws SQLException {
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      takeSnapshot(connection);
      Claim claim = claim(TestCommands.acquire(store.leases(), KEY));
      assertThatThrownBy(() -> effects.explain(connection, claim))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
      assertThatThrownBy(() -> effects.check(connection, claim, TRUST))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"))
          .hasMessageContaining("older than the lease");
      connection.rollback();
      effects.check(connection, claim, TRUST);
      connection.rollback();
    }
    assertThat(trail.total()).isZero();
  }

  private static void takeSnapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("SELECT count(*) FROM notes");
    }
  }
}
