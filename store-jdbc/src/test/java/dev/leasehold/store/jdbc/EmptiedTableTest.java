package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.Evidence;
import dev.leasehold.store.jdbc.health.Facts;
import dev.leasehold.store.jdbc.health.Position;
import dev.leasehold.store.jdbc.health.SeenGrant;
import dev.leasehold.store.jdbc.health.Witnessed;
import dev.leasehold.store.jdbc.leases.RuledBatch;
import dev.leasehold.store.jdbc.leases.Settled;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of leases is emptied while a caller asks for the state of a grant. A reader that finds
 * the row missing never sees the floor from before, which would mean lost writes.
 */
class EmptiedTableTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");

  @AutoClose private final Schema schema = new Schema();

  /** Asks while the table is being emptied, and gets the answer when that is done. */
  private <T> T whileEmptied(String isolation, ConnectionWork<T> asking) throws SQLException {
    try (Connection user = DriverManager.getConnection(schema.url(""));
        Statement statement = user.createStatement();
        StoreConnection connection =
            RawConnection.on(
                DriverManager.getConnection(
                    schema.url("-c default_transaction_isolation=" + isolation)),
                Dialect.POSTGRESQL)) {
      user.setAutoCommit(false);
      boolean unused = statement.execute("TRUNCATE leasehold_lease");
      CompletableFuture<T> answer = CompletableFuture.supplyAsync(() -> asked(connection, asking));
      String waiting =
          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
              + " AND application_name = '"
              + schema.name()
              + "'";
      while (!answer.isDone() && schema.value(waiting).equals("0")) {
        Thread.onSpinWait();
      }
      user.commit();
      return TestCommands.get(answer);
    }
  }

  private static <T> T asked(StoreConnection connection, ConnectionWork<T> asking) {
    try {
      return asking.run(connection);
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_renewal_is_told_the_floor_of_after(String isolation) throws SQLException {
    Token token = granted();
    List<Command> renewal = List.of(Command.Renew.of(KEY, token, TestCommands.ANN));
    Map<Integer, Settled> told =
        whileEmptied(
            isolation,
            connection ->
                connection.inTransaction(
                    s ->
                        new RuledBatch(s, Dialect.POSTGRESQL.limits())
                            .decideRenewalsOfNothing(renewal)));
    assertThat(told.values())
        .extracting(Settled::outcome)
        .containsExactly(new Outcome.Lost(LossReason.Unknown.after(token)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_witness_finds_nothing_missing(String isolation) throws SQLException {
    SeenGrant grant = new SeenGrant(granted(), Optional.of(TestCommands.ANN.id()));
    Optional<String> missing =
        whileEmptied(
            isolation,
            connection -> {
              connection.autoCommit(true);
              Facts facts = Facts.read(connection, Position.NOTHING);
              Witnessed before =
                  new Witnessed(
                      facts.incarnation(),
                      facts.position(),
                      0,
                      Map.of(KEY, grant),
                      Optional.empty());
              return Evidence.inGrants(connection, before, facts);
            });
    assertThat(missing).isEmpty();
  }

  private Token granted() {
    try (JdbcStore store = schema.store().leaveHousekeepingToOthers().migrate().open()) {
      return TestCommands.acquire(store.leases(), KEY);
    }
  }
}
