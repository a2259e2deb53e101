package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.batches.Batches;
import dev.leasehold.store.jdbc.batches.SqliteEngine;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.leases.LeaseTable;
import dev.leasehold.store.jdbc.leases.Settled;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Batches that wait for SQLite's one writer for too long. */
class SqliteLateTest {
  private static final LeaseKey LATE = new LeaseKey("lock/late");
  private static final LeaseKey NEXT = new LeaseKey("lock/next");

  @TempDir Path folder;

  /** The caller has been told that no answer came, and may have sent the opposite since. */
  @Test
  void a_command_that_no_caller_waits_for_any_more_is_not_carried_out_with_the_next_batch() {
    String url = "sqlite:" + folder.resolve("leases.db");
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:" + url);
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      RollbackDetector detector =
          new RollbackDetector(
              Dialect.SQLITE,
              TestCommands.get(store.diagnostics().identity()).storeId(),
              Optional.empty());
      SqliteEngine engine =
          new SqliteEngine(new Connector(source, Dialect.SQLITE), detector::guard);
      Batches<Command, Settled> leases =
          engine.open(new LeaseTable(Dialect.SQLITE.limits(), new ChangeLines()));
      CompletableFuture<Boolean> goOn = new CompletableFuture<>();
      CompletionStage<Boolean> slow = engine.transact(connection -> goOn.join());
      CompletionStage<List<Settled>> late = leases.apply(List.of(TestCommands.acquiring(LATE)));
      for (CompletionStage<?> unanswered : List.of(slow, late)) {
        assertThatThrownBy(() -> TestCommands.get(unanswered))
            .hasCauseInstanceOf(TimeoutException.class);
      }
      goOn.complete(true);
      assertThat(
              TestCommands.get(leases.apply(List.of(TestCommands.acquiring(NEXT))))
                  .getFirst()
                  .outcome())
          .isInstanceOf(Outcome.Granted.class);
      engine.close();
      assertThat(TestCommands.get(store.leases().read(LATE))).isEmpty();
    }
  }
}
