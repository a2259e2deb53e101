package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.StallLimit;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** At effect on PostgreSQL: the change is stopped between its check and its commit. */
class PostgresAtEffectTest extends AtEffectContract {
  /** Longer than a command waits for a lock. */
  private static final Duration SHORT_TRUST = Duration.ofSeconds(2);

  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "read\\ committed");
  }

  /** Nothing was changed by it, since somebody keeps the row. */
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
                isHeldBack(Doing.outcome(other, ending));
                assertThat(Doing.outcome(store, Command.Renew.of(KEY, token, Doing.ANN)))
                    .as("renewed while " + ending + " waits")
                    .isInstanceOf(Outcome.Renewed.class);
              }
              return note(connection);
            });
    assertThat(changed).isEqualTo(new Changed.Made<>(1));
    assertThat(notes()).isOne();
  }

  @Test
  void whatever_ends_a_grant_waits_for_the_commit_and_renewals_go_on() throws SQLException {
    Terms stalling = Terms.of("ann", Doing.TTL).withStallLimit(StallLimit.of(Doing.TTL));
    Command acquire = Command.Acquire.of(KEY, Doing.ANN, RequestId.random(), stalling);
    Token token = ((Outcome.Granted) Doing.outcome(store, acquire)).grant().token();
    Command release = Doing.releasing(KEY, token);
    holdsBack(
        token,
        List.of(
            release,
            handingOver(token),
            revoking(),
            new Command.EndStalled(KEY, token),
            new Command.Abandon(KEY, Doing.ANN, acquireRequest(acquire))));
    assertThat(Doing.outcome(other, release)).isInstanceOf(Outcome.Released.class);
  }

  private static RequestId acquireRequest(Command acquire) {
    return ((Command.Acquire) acquire).requestId();
  }

  @Test
  void a_takeover_waits_for_the_commit() throws SQLException {
    Token token = Doing.acquire(store, KEY);
    Changed<Integer> changed =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              expire();
              isHeldBack(Doing.outcome(other, bobAsks()));
              return note(connection);
            });
    assertThat(changed).isEqualTo(new Changed.Made<>(1));
    Token next = takeOver(other);
    assertThat(effects.change(claim(token), TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.NotMade<>(new Admission.Stale(next)));
  }

  @Test
  void an_advance_waits_for_the_commit() throws SQLException {
    Token token = Doing.acquire(store, KEY);
    Changed<Integer> changed =
        effects.change(
            claim(token),
            TRUST,
            connection -> {
              assertThatThrownBy(() -> other.advance(advancing()).toCompletableFuture().join())
                  .isInstanceOf(CompletionException.class)
                  .hasMessageContaining("lock timeout");
              return note(connection);
            });
    assertThat(changed).isEqualTo(new Changed.Made<>(1));
  }

  @Test
  void a_check_and_a_fragment_in_the_callers_transaction_hold_back_as_well() throws SQLException {
    Token token = Doing.acquire(store, KEY);
    expire();
    try (Connection connection = handles.connect()) {
      connection.setAutoCommit(false);
      assertThat(effects.check(connection, claim(token))).isEqualTo(Admission.ADMITTED);
      isHeldBack(Doing.outcome(other, bobAsks()));
      connection.rollback();
      try (var statement =
          connection.prepareStatement(
              "INSERT INTO notes (id, text) SELECT 1, 'x' WHERE " + effects.fragment())) {
        effects.bind(statement, 1, claim(token));
        assertThat(statement.executeUpdate()).isOne();
      }
      isHeldBack(Doing.outcome(other, bobAsks()));
      connection.commit();
    }
    assertThat(takeOver(other)).isGreaterThan(token);
  }

  /** As if its process were stopped: it says nothing more to the server until it is replaced. */
  @Test
  void a_holder_that_is_stopped_inside_of_a_change_blocks_nobody_for_ever() throws SQLException {
    Token token = Doing.acquire(store, KEY);
    expire();
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    SHORT_TRUST,
                    connection -> {
                      int unused = note(connection);
                      Outcome outcome = Doing.outcome(other, bobAsks());
                      while (!(outcome instanceof Outcome.Granted)) {
                        isHeldBack(outcome);
                        outcome = Doing.outcome(other, bobAsks());
                      }
                      return note(connection);
                    }))
        .isInstanceOf(SQLException.class);
    assertThat(notes()).isZero();
  }

  @Test
  void nor_does_one_whose_statement_hangs() throws SQLException {
    Token token = Doing.acquire(store, KEY);
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    SHORT_TRUST,
                    connection -> {
                      try (Statement statement = connection.createStatement()) {
                        return statement.execute("SELECT pg_sleep(600)");
                      }
                    }))
        .isInstanceOf(SQLException.class);
    assertThat(effects.change(claim(token), TRUST, AtEffectContract::note))
        .isEqualTo(new Changed.Made<>(1));
  }
}
