package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** At effect on SQLite, where a change holds back every other writer. */
class SqliteAtEffectTest extends AtEffectContract {
  @Override
  TwoHandles open(long startMillis) {
    return new SqliteStoreUnderTest(startMillis);
  }

  /** SQLite does not abort: a caller that catches the exception has to roll back. */
  @Override
  int notesAfterAnIgnoredRefusal() {
    return 2;
  }

  @Test
  void a_takeover_waits_for_the_commit() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    expire();
    List<CompletionStage<List<Outcome>>> takeover = new ArrayList<>();
    assertThat(
            effects.change(
                claim(token),
                TRUST,
                connection -> {
                  takeover.add(other.leases().apply(List.of(bobAsks())));
                  return note(connection);
                }))
        .isEqualTo(new Changed.Made<>(1));
    assertThat(TestCommands.get(takeover.getFirst()).getFirst())
        .isInstanceOf(Outcome.Granted.class);
  }

  /** Otherwise, after a transaction that has only read, others could write after its check. */
  @Test
  void a_check_in_the_callers_transaction_takes_the_write_lock() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = handles.connect();
        Connection rival = handles.connect()) {
      connection.setAutoCommit(false);
      effects.check(connection, claim(token), TRUST);
      assertThatThrownBy(() -> note(rival))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode() & 0xff).isEqualTo(5));
      connection.rollback();
    }
  }

  /** It would commit the changes that the outer one has made so far. */
  @Test
  void from_inside_of_a_change_the_fence_cannot_be_asked() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    TRUST,
                    connection -> effects.change(claim(token), TRUST, AtEffectContract::note)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside of a change");
    assertThatThrownBy(
            () ->
                effects.change(
                    claim(token),
                    TRUST,
                    connection -> {
                      int unused = note(connection);
                      return effects.admit(claim(token));
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(notes()).isZero();
  }
}
