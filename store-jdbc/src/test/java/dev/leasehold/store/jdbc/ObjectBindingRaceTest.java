package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that begins before a binding and continues after it respects the binding. */
class ObjectBindingRaceTest {
  private static final ObjectName NAME = ObjectName.of("sandbox", "one");

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_write_with_an_older_snapshot_does_not_slip_past_a_binding(String isolation)
      throws SQLException {
    try (TwoHandles handles =
            new PostgresStoreUnderTest(TestCommands.START_MILLIS, Dialect.POSTGRESQL, isolation);
        Connection binder = handles.connect();
        Connection onlooker = handles.connect()) {
      ObjectStore objects = handles.jdbc().objects();
      assertThat(TestCommands.get(objects.apply(List.of(put()))))
          .allMatch(ObjectOutcome.Created.class::isInstance);
      binder.setAutoCommit(false);
      execute(binder, Dialect.POSTGRESQL.sql().get("lock-out-object-writers"));
      CompletableFuture<List<ObjectOutcome>> late =
          objects.apply(List.of(put())).toCompletableFuture();
      while (!late.isDone() && !isWaited(onlooker)) {
        Thread.onSpinWait();
      }
      execute(
          binder,
          "INSERT INTO leasehold_object_binding VALUES ('sandbox', '', 'leader/x', 'olga', 1)");
      binder.commit();
      // It may also have waited for too long.
      assertThat(TestCommands.get(late))
          .noneMatch(ObjectOutcome.Written.class::isInstance)
          .hasSize(1);
    }
  }

  private static ObjectCommand put() {
    return new ObjectCommand.Put(
        NAME, Payload.ofText("x"), Expectation.ANYTHING, Optional.empty(), RequestId.random());
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private static boolean isWaited(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks"
                    + " WHERE NOT granted AND relation = 'leasehold_object'::regclass")) {
      return row.next() && row.getInt(1) > 0;
    }
  }
}
