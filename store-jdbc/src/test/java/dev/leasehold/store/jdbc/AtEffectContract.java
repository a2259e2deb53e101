package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** I5: a change is applied only if its grant is current at the moment of commit. */
abstract class AtEffectContract extends AtEffectGroup {
  private void isMade(Token token) throws SQLException {
    int before = notes();
    assertThat(effects.change(claim(token), TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.Made<>(1));
    assertThat(notes()).isEqualTo(before + 1);
  }

  private void isRefused(Token token, Admission.Refused why) throws SQLException {
    int before = notes();
    long refusals = trail.total();
    assertThat(effects.change(claim(token), TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.NotMade<>(why));
    assertThat(notes()).isEqualTo(before);
    assertThat(trail.total()).isEqualTo(refusals + 1);
    assertThat(trail.newestFirst().getFirst().claim()).isEqualTo(claim(token));
    assertThat(trail.newestFirst().getFirst().target()).isEqualTo("notes");
    assertThat(effects.admit(claim(token))).isEqualTo(why);
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      refuses(connection, claim(token), why);
      connection.rollback();
      assertThat(noteByFragment(connection, claim(token))).isZero();
      assertThat(effects.explain(connection, claim(token))).isEqualTo(why);
      connection.rollback();
    }
  }

  private int noteByFragment(Connection connection, Claim claim) throws SQLException {
    String insert =
        "INSERT INTO notes (id, text) SELECT ?, 'by fragment' WHERE " + effects.fragment();
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setInt(1, 1_000);
      effects.bind(statement, 2, claim, TRUST);
      return statement.executeUpdate();
    }
  }

  @Test
  void a_change_under_the_current_grant_is_made() throws SQLException {
    isMade(TestCommands.acquire(store.leases(), KEY));
    assertThat(trail.total()).isZero();
  }

  @Test
  void silent_expiry_ends_no_right_to_finish_and_takeover_does() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    isMade(token);
    // The holder is told that the grant is over, and cannot renew it; no other grant has followed.
    assertThat(TestCommands.outcome(store.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
        .isInstanceOf(Outcome.Lost.class);
    isMade(token);
    Token next = takeOver(other.leases());
    isRefused(token, new Admission.Stale(next));
    isMade(next);
    assertThat(effects.seal(claim(next))).isEqualTo(Admission.ADMITTED);
    assertThat(effects.seal(claim(token))).isEqualTo(new Admission.Stale(next));
  }

  @Test
  void a_released_grant_changes_nothing() throws SQLException {
    Token token = TestCommands.acquireAndRelease(store.leases(), KEY);
    isRefused(token, new Admission.Stale(token));
  }

  @Test
  void a_grant_that_was_handed_over_changes_nothing() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Outcome.HandedOver over =
        (Outcome.HandedOver) TestCommands.outcome(store.leases(), handingOver(token));
    isRefused(token, new Admission.Stale(over.token()));
    isMade(over.token());
  }

  @Test
  void neither_a_revoked_grant_nor_the_void_token_above_it_changes_anything() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Token voided = ((Outcome.Revoked) TestCommands.outcome(other.leases(), revoking())).token();
    isRefused(token, new Admission.Stale(voided));
    isRefused(voided, new Admission.Stale(voided));
    assertThat(effects.seal(claim(voided))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void a_stalled_grant_changes_nothing() throws SQLException {
    Terms stalling = Terms.of("ann", TestCommands.TTL).withStallLimit(StallLimit.of(TRUST));
    Command acquire = Command.Acquire.of(KEY, TestCommands.ANN, RequestId.random(), stalling);
    Token token = ((Outcome.Granted) TestCommands.outcome(store.leases(), acquire)).grant().token();
    handles.setClock(TestCommands.START_MILLIS + TRUST.toMillis() + 1);
    Outcome unused = TestCommands.outcome(other.leases(), new Command.EndStalled(KEY, token));
    Token last = TestCommands.get(store.leases().read(KEY)).orElseThrow().record().last();
    assertThat(last).isGreaterThan(token);
    isRefused(token, new Admission.Stale(last));
  }

  @Test
  void an_advanced_incarnation_ends_every_grant() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    assertThat(TestCommands.get(other.leases().advance(advancing())))
        .isInstanceOf(Advance.Advanced.class);
    isRefused(token, new Admission.Stale(token));
  }

  @Test
  void a_token_that_was_never_issued_is_refused_and_suspected() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Token invented = token.next(0);
    isRefused(invented, new Admission.Unissued(Optional.of(token)));
    assertThat(TestCommands.get(store.leases().suspectedRollbacks()).count()).isPositive();
    assertThat(TestCommands.get(store.leases().suspectedRollbacks()).latest().getFirst().brought())
        .isEqualTo(invented);
    isMade(token);
  }

  @Test
  void what_is_purged_stays_stale_and_what_was_never_there_is_unissued() throws SQLException {
    Token token = TestCommands.acquireAndRelease(store.leases(), KEY);
    assertThat(effects.admit(Claim.of(new LeaseKey("lock/never"), token)))
        .isInstanceOf(Admission.Unissued.class);
    handles.setClock(TestCommands.START_MILLIS + Duration.ofDays(30).toMillis());
    assertThat(
            TestCommands.get(
                    store.leases().purge(new PurgeQuery(Duration.ofDays(1).toMillis(), 10)))
                .purged())
        .isOne();
    isRefused(token, new Admission.Stale(token));
  }

  @Test
  void the_fragment_checks_in_the_statement_itself() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect()) {
      assertThat(noteByFragment(connection, claim(token))).isOne();
      assertThat(effects.explain(connection, claim(token))).isEqualTo(Admission.ADMITTED);
    }
    assertThat(notes()).isOne();
  }

  @Test
  void a_check_without_a_transaction_is_refused() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect()) {
      assertThatThrownBy(() -> effects.check(connection, claim(token), TRUST))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
    assertThatThrownBy(() -> effects.change(claim(token), Duration.ZERO, AtEffectContract::note))
        .isInstanceOf(IllFormedException.class);
  }

  @Test
  void what_is_written_after_an_ignored_refusal_is_not_committed() throws SQLException {
    Token token = TestCommands.acquireAndRelease(store.leases(), KEY);
    ignores(connection -> refuses(connection, claim(token), new Admission.Stale(token)));
    assertThat(notes()).isEqualTo(notesAfterAnIgnoredRefusal());
  }

  @Test
  void nor_what_is_written_after_the_check_of_a_lease_that_was_given_back() throws Exception {
    try (Leases leases = Leases.on(store).open()) {
      Lease lease = ((Acquisition.Acquired) leases.tryAcquire(LeaseRequest.of(KEY.text()))).lease();
      try (Connection connection = handles.connect()) {
        connection.setAutoCommit(false);
        effects.check(connection, lease);
        int unused = note(connection);
        connection.commit();
      }
      assertThat(notes()).isOne();
      run("DELETE FROM notes");
      Release unused = lease.release();
      ignores(
          connection ->
              assertThatThrownBy(() -> effects.check(connection, lease))
                  .isInstanceOf(LeaseLostException.class));
    }
    assertThat(notes()).isEqualTo(notesAfterAnIgnoredRefusal());
  }

  @Test
  void nor_what_is_written_without_any_trust() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    ignores(
        connection ->
            assertThatThrownBy(() -> effects.check(connection, claim(token), Duration.ZERO))
                .isInstanceOf(IllFormedException.class));
    assertThat(notes()).isEqualTo(notesAfterAnIgnoredRefusal());
  }

  /** A check that fails. */
  private interface FailingCheck {
    void in(Connection connection);
  }

  /** Writes before and after a check that fails, and commits in spite of the failure. */
  private void ignores(FailingCheck check) throws SQLException {
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      int unused = note(connection);
      check.in(connection);
      try {
        unused = note(connection);
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
      // The driver reports that the server has rolled back instead.
      assertThat(e.getSQLState()).as(e.toString()).isEqualTo("25P02");
    }
  }

  /** A store that has lost writes may issue a token again, to another instance. */
  @Test
  void the_token_of_another_instance_is_refused_and_suspected() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Claim own = claim(token).ofInstance(TestCommands.ANN.id().text());
    Claim others = claim(token).ofInstance(BOB.id().text());
    Admission.Refused unissued = new Admission.Unissued(Optional.of(token));
    assertThat(effects.change(own, TRUST, AtEffectContract::note)).isEqualTo(new Changed.Made<>(1));
    assertThat(effects.change(others, TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.NotMade<>(unissued));
    assertThat(effects.admit(own)).isEqualTo(Admission.ADMITTED);
    assertThat(effects.admit(others)).isEqualTo(unissued);
    assertThat(effects.seal(others)).isEqualTo(unissued);
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      effects.check(connection, own, TRUST);
      assertThat(noteByFragment(connection, own)).isOne();
      assertThat(effects.explain(connection, own)).isEqualTo(Admission.ADMITTED);
      connection.rollback();
      refuses(connection, others, unissued);
      connection.rollback();
      assertThat(noteByFragment(connection, others)).isZero();
      assertThat(effects.explain(connection, others)).isEqualTo(unissued);
      connection.rollback();
    }
    assertThat(TestCommands.get(store.leases().suspectedRollbacks()).count())
        .isGreaterThanOrEqualTo(5);
    TestCommands.release(store.leases(), KEY, token);
    assertThat(effects.admit(others)).isEqualTo(unissued);
    assertThat(effects.admit(own)).isEqualTo(new Admission.Stale(token));
  }

  @Test
  void a_change_that_fails_leaves_nothing_behind() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    TRUST,
                    connection -> {
                      int unused = note(connection);
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");
    assertThat(notes()).isZero();
    isMade(token);
  }

  @Test
  void a_change_cannot_end_its_transaction_nor_go_on_after_it() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Changed<Connection> kept =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              assertThatThrownBy(connection::commit).hasMessageContaining("commit");
              assertThatThrownBy(connection::rollback).hasMessageContaining("rollback");
              assertThatThrownBy(() -> connection.setAutoCommit(true))
                  .hasMessageContaining("setAutoCommit");
              int unused = note(connection);
              return connection;
            });
    assertThat(notes()).isOne();
    Connection late = ((Changed.Made<Connection>) kept).result();
    assertThatThrownBy(() -> note(late)).hasMessageContaining("is over");
  }

  /** A statement leads back to its connection. */
  @Test
  void nor_can_its_statements() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    Changed<PreparedStatement> kept =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              PreparedStatement insert =
                  connection.prepareStatement("INSERT INTO notes (id, text) VALUES (1, 'x')");
              assertThat(insert.executeUpdate()).isOne();
              assertThat(insert.getConnection()).isEqualTo(connection);
              cannotEnd(insert.getConnection());
              cannotEnd(connection.getMetaData().getConnection());
              try (Statement statement = connection.createStatement();
                  ResultSet rows = statement.executeQuery("SELECT id FROM notes")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getMetaData().getColumnCount()).isOne();
                cannotEnd(rows.getStatement().getConnection());
                for (String text : List.of("COMMIT", " rollback", "END;", "begin")) {
                  assertThatThrownBy(() -> statement.execute(text))
                      .hasMessageContaining("not the change's");
                  assertThatThrownBy(() -> connection.prepareStatement(text))
                      .hasMessageContaining("not the change's");
                }
                statement.execute("SAVEPOINT here");
                statement.execute("ROLLBACK TO SAVEPOINT here");
              }
              assertThatThrownBy(() -> insert.unwrap(Statement.class))
                  .hasMessageContaining("unwrap");
              assertThatThrownBy(() -> connection.unwrap(Connection.class))
                  .hasMessageContaining("unwrap");
              return insert;
            });
    assertThat(notes()).isOne();
    try (PreparedStatement late = ((Changed.Made<PreparedStatement>) kept).result()) {
      assertThatThrownBy(late::executeUpdate).hasMessageContaining("is over");
    }
  }

  private static void cannotEnd(Connection connection) {
    assertThatThrownBy(connection::commit).hasMessageContaining("commit");
    assertThatThrownBy(connection::close).hasMessageContaining("close");
  }

  /** The pause of the protocol: after the check, before the commit. */
  @Test
  void what_the_transaction_saw_before_it_was_stopped_does_not_count() throws SQLException {
    isNotFooledBy(
        token -> {
          expire();
          return takeOver(other.leases());
        });
  }

  /** Each of these locks the row, decides, and writes: two statements of one transaction. */
  @Test
  void nor_does_what_it_saw_before_a_hand_over() throws SQLException {
    isNotFooledBy(
        token ->
            ((Outcome.HandedOver) TestCommands.outcome(other.leases(), handingOver(token)))
                .token());
  }

  @Test
  void nor_does_what_it_saw_before_a_revocation() throws SQLException {
    isNotFooledBy(
        token -> ((Outcome.Revoked) TestCommands.outcome(other.leases(), revoking())).token());
  }

  /**
   * @param ending ends the grant of a token, and returns the latest token after that
   */
  private void isNotFooledBy(UnaryOperator<Token> ending) throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      // At SERIALIZABLE and on SQLite, the snapshot of this transaction starts here.
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM notes")) {
        assertThat(rows.next()).isTrue();
      }
      assertThat(
              TestCommands.outcome(store.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
      isStaleOrRolledBack(connection, token, ending.apply(token));
    }
  }

  @Test
  void nor_does_an_incarnation_of_before() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM notes")) {
        assertThat(rows.next()).isTrue();
      }
      assertThat(TestCommands.get(other.leases().advance(advancing())))
          .isInstanceOf(Advance.Advanced.class);
      isStaleOrRolledBack(connection, token, token);
    }
  }

  private void isStaleOrRolledBack(Connection connection, Token token, Token current)
      throws SQLException {
    int changed;
    assertThatThrownBy(() -> effects.check(connection, claim(token), TRUST))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              if (e instanceof ClaimRefusedException refusal) {
                assertThat(refusal.refused()).isEqualTo(new Admission.Stale(current));
              } else {
                assertThat(isSnapshotOutdated(e)).as(e.toString()).isTrue();
              }
            });
    connection.rollback();
    try {
      changed = noteByFragment(connection, claim(token));
    } catch (SQLException e) {
      changed = 0;
      assertThat(isSnapshotOutdated(e)).as(e.toString()).isTrue();
    }
    assertThat(changed).isZero();
    connection.rollback();
  }

  /** A serialization failure, or SQLITE_BUSY_SNAPSHOT. */
  private static boolean isSnapshotOutdated(SQLException failure) {
    return "40001".equals(failure.getSQLState()) || (failure.getErrorCode() & 0xff) == 5;
  }
}
