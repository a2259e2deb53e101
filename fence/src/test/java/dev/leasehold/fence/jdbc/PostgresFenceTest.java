package dev.leasehold.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresFenceTest extends JdbcFenceContract {
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

  /** A seal that is known to wait for a lock, if it waits at all. */
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
    JdbcFence brief = fence().longestPause(Duration.ofMillis(20));
    if (hasSealed) {
      assertThat(brief.seal(claim(5))).isEqualTo(Admission.ADMITTED);
    }
    Stopped holder = Stopped.inChange(brief, claim(5));
    assertThat(brief.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(entries(5)).isZero();
    assertThatThrownBy(holder::resume).isInstanceOf(SQLException.class);
    assertThat(entries(5)).isZero();
  }

  @Test
  void a_seal_waits_for_a_check_in_a_transaction_of_the_caller() throws Exception {
    assertThat(fence().seal(claim(5))).isEqualTo(Admission.ADMITTED);
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(fence().admitIn(connection, claim(5))).isEqualTo(Admission.ADMITTED);
      CompletableFuture<Admission> seal = sealing(6);
      assertThat(seal).isNotDone();
      Stopped.write(connection, claim(5));
      connection.commit();
      assertThat(Stopped.get(seal)).isEqualTo(Admission.ADMITTED);
    }
  }

  /** Nobody could be asked to run CockroachDB for a test: its statements, on its neighbour. */
  @Test
  void the_statements_for_cockroachdb_do_the_same() throws SQLException {
    Claim claim = claim(5);
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      Marks marks = new Marks(MarkDialect.COCKROACHDB, "orders", connection);
      marks.boundWait(1_000);
      assertThat(marks.join(claim, 1_000)).isFalse();
      assertThat(marks.raise(claim, false)).isTrue();
      assertThat(marks.join(claim, 1_000)).isTrue();
      connection.rollback();
    }
  }
}
