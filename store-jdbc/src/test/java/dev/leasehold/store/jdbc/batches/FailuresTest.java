package dev.leasehold.store.jdbc.batches;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector.NoConnection;
import dev.leasehold.store.jdbc.connections.Failures;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {
  @ParameterizedTest
  @CsvSource({
    "40001, RESTART",
    "40P01, RESTART",
    "40003, RESTART",
    "55P03, LOCKED",
    "08006, CUT_OFF",
    "57P01, CUT_OFF",
    // The server has ended the session for its silence.
    "25P03, CUT_OFF",
    "25P04, CUT_OFF",
    // A server that has become a replica, and a plan from before a migration.
    "25006, CUT_OFF",
    "0A000, CUT_OFF",
    "23505, REFUSED"
  })
  void what_a_state_of_a_server_means(String state, Failures meaning) {
    assertThat(Failures.of(new SQLException("so it is", state))).isEqualTo(meaning);
  }

  @ParameterizedTest
  @CsvSource({
    "28P01, true",
    "28000, true",
    "3D000, true",
    "42501, true",
    "08001, false",
    "57P03, false",
    "53300, false"
  })
  void what_waiting_does_not_mend(String state, boolean forGood) {
    assertThat(Failures.isForGood(new SQLException("so it is", state))).isEqualTo(forGood);
  }

  @Test
  void where_no_connection_was_had_nothing_was_sent() {
    NoConnection failure = new NoConnection(new SQLException("refused", "08001"));
    assertThat(Failures.of(failure)).isEqualTo(Failures.UNREACHABLE);
  }

  /** Fails with one state after the other, and then no more. */
  private static boolean wasCutOff(String... states) throws SQLException {
    Deque<String> left = new ArrayDeque<>(List.of(states));
    Attempts attempts = new Attempts(new Failing(left), new Backoff());
    boolean done = attempts.<Boolean>run(session -> true);
    assertThat(done).isTrue();
    return attempts.wasCutOff();
  }

  private record Failing(Deque<String> states) implements ConnectionSource {
    @Override
    @SuppressWarnings("unchecked")
    public <T> T use(ConnectionWork<T> work) throws SQLException {
      if (!states.isEmpty()) {
        throw new SQLException("as planned", states.pop());
      }
      return (T) Boolean.TRUE;
    }

    @Override
    public void close() {}
  }

  @Test
  void what_was_rolled_back_for_certain_is_no_doubt() throws SQLException {
    assertThat(wasCutOff("40001", "40P01")).isFalse();
  }

  @Test
  void a_connection_that_broke_and_a_commit_without_an_answer_leave_a_doubt() throws SQLException {
    assertThat(wasCutOff("08006", "40001")).isTrue();
    assertThat(wasCutOff("40003", "40001")).isTrue();
  }
}
