package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An advance during acquires of keys that have no row. */
@Timeout(60)
class AdvanceRaceTest {
  private static final List<LeaseKey> KEYS = List.of(new LeaseKey("k/1"), new LeaseKey("k/2"));
  private static final Advance NOW =
      new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(0));

  private final Schema schema = new Schema();

  @AfterEach
  void dropSchema() {
    schema.close();
  }

  /** A state that an acquire read before the advance must not lead to a grant after it. */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void once_it_is_done_no_grant_of_before_appears(String isolation) throws SQLException {
    String url = schema.url("-c default_transaction_isolation=" + isolation);
    try (JdbcStore store = JdbcStore.at(url).migrate().open();
        JdbcStore operator = JdbcStore.at(url).open();
        Connection purge = DriverManager.getConnection(url)) {
      purge.setAutoCommit(false);
      lockFloors(purge);
      CompletableFuture<List<Outcome>> acquires =
          store
              .leases()
              .apply(KEYS.stream().map(TestCommands::acquiring).toList())
              .toCompletableFuture();
      awaitWaiting(1, acquires);
      CompletableFuture<Advance.Outcome> advance =
          operator.leases().advance(NOW).toCompletableFuture();
      awaitWaiting(2, advance);
      boolean advancedFirst = advance.isDone() && !advance.isCompletedExceptionally();
      purge.rollback();
      // A wait for a lock ends after a second, so on a slow machine the advance may have failed.
      Advance.Outcome outcome =
          TestCommands.get(advance.exceptionallyCompose(failure -> operator.leases().advance(NOW)));
      int incarnation = ((Advance.Advanced) outcome).incarnation();
      for (Outcome acquired : TestCommands.get(acquires)) {
        assertThat(acquired).isInstanceOf(Outcome.Granted.class);
        assertThat(((Outcome.Granted) acquired).grant().token().incarnation())
            .isGreaterThanOrEqualTo(advancedFirst ? incarnation : 0);
      }
    }
  }

  /** As a purge does, so that an acquire of a new key has to wait. */
  private static void lockFloors(Connection purge) throws SQLException {
    try (Statement statement = purge.createStatement()) {
      statement.execute("SELECT * FROM leasehold_floor FOR UPDATE");
    }
  }

  /** Until this number of the stores' connections wait for a lock, or the future is complete. */
  private void awaitWaiting(int count, CompletableFuture<?> unlessDone) throws SQLException {
    String waiting =
        """
        SELECT count(*) FROM pg_stat_activity
         WHERE application_name = current_schema() AND wait_event_type = 'Lock'
        """;
    while (Integer.parseInt(schema.value(waiting)) < count && !unlessDone.isDone()) {
      Thread.onSpinWait();
    }
  }
}
