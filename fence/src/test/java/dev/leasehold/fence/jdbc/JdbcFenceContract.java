package dev.leasehold.fence.jdbc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I4 on a real engine: after a seal or an admission, no change with a lower token takes effect. */
@Timeout(120)
abstract class JdbcFenceContract extends JdbcFenceGroup {
  @Test
  void a_token_passes_until_a_higher_one_has_come() throws SQLException {
    assertThat(write(5)).isEqualTo(made());
    assertThat(write(5)).isEqualTo(made());
    assertThat(write(6)).isEqualTo(made());
    assertThat(write(5)).isEqualTo(notMade(stale(6)));
    assertThat(fence.admit(claim(5))).isEqualTo(stale(6));
    assertThat(fence.seal(claim(5))).isEqualTo(stale(6));
    assertThat(fence.admit(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(entries(5)).isEqualTo(2);
    assertThat(entries(6)).isEqualTo(1);
  }

  @Test
  void a_sealed_target_admits_its_sealer_and_no_lower_token() throws SQLException {
    assertThat(write(5)).isEqualTo(made());
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(write(5)).isEqualTo(notMade(stale(6)));
    assertThat(write(6)).isEqualTo(made());
    assertThat(entries(5)).isEqualTo(1);
  }

  @Test
  void the_mark_outlives_the_process_that_has_set_it() throws SQLException {
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    JdbcFence afterRestart = JdbcFence.before("orders", database.source());
    assertThat(write(afterRestart, claim(5))).isEqualTo(notMade(stale(6)));
  }

  @Test
  void keys_and_targets_have_marks_of_their_own() throws SQLException {
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    Claim otherKey = Claim.of(LeaseKey.of("lock", "b"), new Token(1));
    assertThat(fence.admit(otherKey)).isEqualTo(Admission.ADMITTED);
    JdbcFence otherTarget = JdbcFence.before("invoices", database.source());
    assertThat(otherTarget.admit(claim(1))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void a_change_that_throws_is_rolled_back_with_its_mark() throws SQLException {
    assertThatThrownBy(
            () ->
                fence.change(
                    claim(5),
                    connection -> {
                      Stopped.write(connection, claim(5));
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(entries(5)).isZero();
    assertThat(write(4)).isEqualTo(made());
  }

  /** Calls that would end the transaction that has checked the token, or bypass the refusal. */
  enum Ending {
    COMMIT(Connection::commit),
    ROLLBACK(Connection::rollback),
    CLOSE(Connection::close),
    ABORT(connection -> connection.abort(Runnable::run)),
    AUTO_COMMIT(connection -> connection.setAutoCommit(true)),
    UNWRAP(connection -> connection.unwrap(Connection.class).commit()),
    BY_A_STATEMENT(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.getConnection().commit();
          }
        }),
    BY_A_RESULT(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement("SELECT 1");
              ResultSet rows = statement.executeQuery()) {
            rows.getStatement().getConnection().commit();
          }
        }),
    BY_ITS_DESCRIPTION(connection -> connection.getMetaData().getConnection().commit());

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final SqlAction action;

    Ending(SqlAction action) {
      this.action = action;
    }

    private interface SqlAction {
      void with(Connection connection) throws SQLException;
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_change_cannot_end_the_transaction_that_has_checked_its_token(Ending ending)
      throws SQLException {
    assertThatThrownBy(
            () ->
                fence.change(
                    claim(5),
                    connection -> {
                      Stopped.write(connection, claim(5));
                      ending.action.with(connection);
                      return "done";
                    }))
        .isInstanceOf(SQLException.class)
        .hasMessageMatching(".*(not the change's to call|with admitIn).*");
    assertThat(entries(5)).isZero();
  }

  @Test
  void a_change_may_undo_a_part_of_itself_and_has_no_connection_when_it_is_over()
      throws SQLException {
    AtomicReference<@Nullable Connection> kept = new AtomicReference<>();
    AtomicReference<@Nullable Statement> keptStatement = new AtomicReference<>();
    Changed<String> changed =
        fence.change(
            claim(5),
            connection -> {
              Stopped.write(connection, claim(5));
              Savepoint half = connection.setSavepoint();
              Stopped.write(connection, claim(5));
              connection.rollback(half);
              kept.set(connection);
              Statement statement = connection.createStatement();
              keptStatement.set(statement);
              assertThat(Set.of(connection)).contains(statement.getConnection());
              return "done";
            });
    assertThat(changed).isEqualTo(made());
    assertThat(entries(5)).isEqualTo(1);
    assertThatThrownBy(() -> requireNonNull(kept.get()).createStatement())
        .hasMessageContaining("its transaction is over");
    Statement late = requireNonNull(keptStatement.get());
    assertThatThrownBy(() -> late.execute("DELETE FROM entry"))
        .hasMessageContaining("its transaction is over");
    late.close();
    assertThat(entries(5)).isEqualTo(1);
  }

  @Test
  void a_seal_does_not_pass_a_lower_change_that_is_under_way() throws Exception {
    assertThat(fence.seal(claim(5))).isEqualTo(Admission.ADMITTED);
    Stopped holder = Stopped.inChange(fence, claim(5));
    sealWithSixDoesNotGetThrough();
    assertThat(holder.resume()).isEqualTo(made());
    assertThat(entries(5)).isEqualTo(1);
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(write(5)).isEqualTo(notMade(stale(6)));
    assertThat(entries(5)).isEqualTo(1);
  }

  /** Asserts that the seal fails or waits. */
  abstract void sealWithSixDoesNotGetThrough() throws SQLException;

  @Test
  void nor_the_first_change_of_a_key() throws Exception {
    Stopped holder = Stopped.inChange(fence, claim(5));
    CompletableFuture<Admission> seal = Stopped.running(() -> fence.seal(claim(6)));
    CompletableFuture<Long> seen = seal.thenApply(answer -> entriesOrFail(5));
    assertThat(holder.resume()).isEqualTo(made());
    assertThat(Stopped.get(seal)).isEqualTo(Admission.ADMITTED);
    assertThat(Stopped.get(seen)).isEqualTo(1);
  }

  private long entriesOrFail(long token) {
    try {
      return entries(token);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Once a seal has returned, the content written under lower tokens does not change any more. */
  @Test
  void what_a_sealer_reads_is_never_changed_by_lower_tokens() throws Exception {
    long seals = 25;
    AtomicLong newest = new AtomicLong(1);
    List<CompletableFuture<Long>> writers =
        IntStream.range(0, 3)
            .mapToObj(i -> Stopped.running(() -> writeUntil(newest, seals)))
            .toList();
    Map<Long, Long> below = new TreeMap<>();
    for (long token = 2; token <= seals; token++) {
      assertThat(fence.seal(claim(token))).isEqualTo(Admission.ADMITTED);
      below.put(token, database.count("SELECT count(*) FROM entry WHERE token < " + token));
      newest.set(token);
    }
    long made = 0;
    for (CompletableFuture<Long> writer : writers) {
      made += Stopped.get(writer);
    }
    assertThat(database.count("SELECT count(*) FROM entry")).isEqualTo(made).isPositive();
    for (Map.Entry<Long, Long> seen : below.entrySet()) {
      assertThat(database.count("SELECT count(*) FROM entry WHERE token < " + seen.getKey()))
          .isEqualTo(seen.getValue());
    }
  }

  /** Each writer brings the newest token or the one before, as the holder or the replaced one. */
  private long writeUntil(AtomicLong newest, long last) throws SQLException {
    long made = 0;
    for (long token = 1; token < last; token = newest.get()) {
      made += isWritten(token) ? 1 : 0;
    }
    return made;
  }

  private boolean isWritten(long token) throws SQLException {
    try {
      return write(token) instanceof Changed.Made<String>;
    } catch (SQLException e) {
      // SERIALIZABLE may roll back any change because of others; the caller runs it again.
      if ("40001".equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  @Test
  void the_check_can_join_a_transaction_of_the_caller() throws Exception {
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      fence.admitIn(connection, claim(5), TRUST);
      Stopped.write(connection, claim(5));
      connection.commit();
      fence.admitIn(connection, claim(5), TRUST);
      connection.rollback();
      assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
      refuses(fence, connection, claim(5), stale(6));
      connection.rollback();
    }
    if (!abortsTransactions()) {
      assertThat(fence.trail(10)).isEmpty();
      fence.keep(claim(5), stale(6));
    }
    assertThat(fence.trail(10)).hasSize(1);
  }

  private static void refuses(
      JdbcFence fence, Connection connection, Claim claim, Admission.Refused why) {
    assertThatThrownBy(() -> fence.admitIn(connection, claim, TRUST))
        .isInstanceOfSatisfying(
            ClaimRefusedException.class,
            refusal -> {
              assertThat(refusal.refused()).isEqualTo(why);
              assertThat(refusal.claim()).isEqualTo(claim);
              assertThat(refusal.getSQLState())
                  .isEqualTo(why instanceof Admission.Stale ? "LH002" : "LH003");
            });
  }

  /** Whether a refusal aborts the transaction; on SQLite it does not. */
  boolean abortsTransactions() {
    return true;
  }

  @Test
  void what_is_written_after_an_ignored_refusal_is_not_committed() throws Exception {
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    JdbcFence blind = fence.issuedBy((key, token) -> unreachable());
    ignores(connection -> refuses(fence, connection, claim(5), stale(6)));
    ignores(
        connection ->
            assertThatThrownBy(() -> fence.admitIn(connection, claim(6), Duration.ZERO))
                .isInstanceOf(IllFormedException.class));
    ignores(
        connection ->
            assertThatThrownBy(() -> blind.admitIn(connection, claim(7), TRUST))
                .hasMessage("the issuer is away"));
    assertThat(entries(5)).isEqualTo(abortsTransactions() ? 0 : 3);
  }

  private static IssuedTokens.Issue unreachable() {
    throw new IllegalStateException("the issuer is away");
  }

  /** A check that fails. */
  private interface FailingCheck {
    void in(Connection connection);
  }

  /** Writes after a check that fails, and commits as if nothing had happened. */
  private void ignores(FailingCheck check) throws SQLException {
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      check.in(connection);
      try {
        Stopped.write(connection, claim(5));
        connection.commit();
      } catch (SQLException e) {
        assertThat(e.getSQLState()).as(e.toString()).isEqualTo("25P02");
        commitAllTheSame(connection);
      }
    }
  }

  private static void commitAllTheSame(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      // The driver says that the server has rolled back instead.
      assertThat(e.getSQLState()).as(e.toString()).isEqualTo("25P02");
    }
  }

  @Test
  void a_transaction_that_began_before_the_seal_does_not_slip_through() throws Exception {
    assertThat(fence.seal(claim(5))).isEqualTo(Admission.ADMITTED);
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery("SELECT count(*) FROM entry")) {
        assertThat(rows.next()).isTrue();
      }
      assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
      assertThat(answerIn(connection)).isIn(Optional.of(stale(6)), Optional.empty());
      connection.rollback();
    }
  }

  /** The answer; empty if the database refused to continue with a snapshot that is too old. */
  final Optional<Admission> answerIn(Connection connection) {
    try {
      fence.admitIn(connection, claim(5), TRUST);
      return Optional.of(Admission.ADMITTED);
    } catch (ClaimRefusedException e) {
      return Optional.of(e.refused());
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  @Test
  void a_connection_without_a_transaction_is_refused() throws SQLException {
    try (Connection connection = database.source().getConnection()) {
      assertThatThrownBy(() -> fence.admitIn(connection, claim(5), TRUST))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  private JdbcFence seeing(IssuedTokens.Issue... issues) {
    Map<Token, IssuedTokens.Issue> known = new TreeMap<>();
    for (int i = 0; i < issues.length; i++) {
      known.put(new Token(i + 1), issues[i]);
    }
    Optional<Token> highest = Optional.of(new Token(issues.length));
    return fence.issuedBy(
        (key, token) -> known.getOrDefault(token, new IssuedTokens.Never(highest)));
  }

  @Test
  void an_invented_token_is_refused_and_leaves_the_mark_alone() throws SQLException {
    JdbcFence seeing = seeing(new IssuedTokens.Granted(), new IssuedTokens.Granted());
    Admission.Refused unissued = new Admission.Unissued(Optional.of(new Token(2)));
    assertThat(seeing.admit(claim(1))).isEqualTo(Admission.ADMITTED);
    assertThat(seeing.admit(claim(9))).isEqualTo(unissued);
    assertThat(seeing.seal(claim(9))).isEqualTo(unissued);
    assertThat(write(seeing, claim(9))).isEqualTo(notMade(unissued));
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      refuses(seeing, connection, claim(9), unissued);
      connection.rollback();
    }
    assertThat(write(seeing, claim(1))).isEqualTo(made());
    assertThat(seeing.trail(10))
        .extracting(MarkEvent::what)
        .containsOnly(MarkEvent.What.UNISSUED)
        .hasSize(abortsTransactions() ? 4 : 3);
  }

  @Test
  void a_void_token_seals_and_admits_no_claim_not_even_its_own() throws SQLException {
    JdbcFence seeing =
        seeing(new IssuedTokens.Granted(), new IssuedTokens.Voided(), new IssuedTokens.Granted());
    assertThat(write(seeing, claim(1))).isEqualTo(made());
    assertThat(write(seeing, claim(2)))
        .isEqualTo(notMade(new Admission.Unissued(Optional.of(new Token(2)))));
    assertThat(seeing.seal(claim(2))).isEqualTo(Admission.ADMITTED);
    assertThat(seeing.seal(claim(2))).isEqualTo(Admission.ADMITTED);
    assertThat(write(seeing, claim(2))).isEqualTo(notMade(stale(2)));
    assertThat(write(seeing, claim(1))).isEqualTo(notMade(stale(2)));
    assertThat(write(seeing, claim(3))).isEqualTo(made());
  }

  @Test
  void refusals_and_resets_are_kept_with_who_and_why() throws SQLException {
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(write(5)).isEqualTo(notMade(stale(6)));
    assertThat(fence.reset(KEY, "ann", "an invented token")).contains(new Token(6));
    assertThat(write(5)).isEqualTo(made());
    List<MarkEvent> trail = fence.trail(10);
    assertThat(trail).hasSize(2).allSatisfy(event -> assertThat(event.key()).isEqualTo(KEY));
    assertThat(trail.get(0).what()).isEqualTo(MarkEvent.What.RESET);
    assertThat(trail.get(0).current()).contains(new Token(6));
    assertThat(trail.get(0).who() + ": " + trail.get(0).why()).isEqualTo("ann: an invented token");
    assertThat(trail.get(1).what()).isEqualTo(MarkEvent.What.STALE);
    assertThat(trail.get(1).brought()).contains(new Token(5));
    assertThat(trail.get(1).current()).contains(new Token(6));
    assertThat(trail.get(1).who()).isEqualTo("holder 5");
    assertThatThrownBy(() -> fence.reset(KEY, "ann", "")).isInstanceOf(IllFormedException.class);
  }

  void fillTrail(int entries) throws SQLException {
    String rows =
        IntStream.rangeClosed(1, entries)
            .mapToObj(i -> "('orders', 'lock/a', 'stale', " + i + ", 1300, 'w', '', 0)")
            .collect(Collectors.joining(", "));
    database.execute(
        "INSERT INTO leasehold_mark_trail (target, key, what, brought, current, who, why, at)"
            + " VALUES "
            + rows);
  }

  @Test
  void the_trail_is_bounded() throws SQLException {
    fillTrail(1_200);
    fence.keep(claim(1_201), stale(1_300));
    List<MarkEvent> trail = fence.trail(5_000);
    assertThat(trail).hasSize(1_000);
    assertThat(trail.getFirst().brought()).contains(new Token(1_201));
    assertThat(trail.getLast().brought()).contains(new Token(202));
  }

  @Test
  void a_trail_that_cannot_be_written_to_hides_no_answer() throws SQLException {
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    database.execute("DROP TABLE leasehold_mark_trail");
    assertThat(write(5)).isEqualTo(notMade(stale(6)));
  }

  @Test
  void without_its_tables_the_fence_says_what_to_do() throws SQLException {
    for (String table : List.of("leasehold_mark", "leasehold_mark_coming")) {
      database.execute("DROP TABLE " + table);
    }
    assertThatThrownBy(() -> fence.seal(claim(6)))
        .isInstanceOf(FenceUnavailableException.class)
        .hasMessageContaining("createTables");
    try (Connection connection = database.source().getConnection()) {
      JdbcFence.createTables(connection);
      JdbcFence.createTables(connection);
      assertThat(JdbcFence.tables(connection))
          .contains("CREATE TABLE IF NOT EXISTS leasehold_mark");
    }
    assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
  }
}
