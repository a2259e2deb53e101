package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many processes that start together make one schema and one store. */
class MigratingTogetherTest {
  private static final int PROCESSES = 8;

  @TempDir Path folder;

  private static List<List<String>> together(Supplier<JdbcStoreBuilder> store) {
    CyclicBarrier start = new CyclicBarrier(PROCESSES);
    List<CompletableFuture<List<String>>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(PROCESSES)) {
      for (int i = 0; i < PROCESSES; i++) {
        all.add(
            CompletableFuture.supplyAsync(
                () ->
                    store
                        .get()
                        .schema(
                            schema -> {
                              awaitAll(start);
                              return schema.apply();
                            }),
                threads));
      }
    }
    return all.stream().map(TestCommands::get).toList();
  }

  private static void awaitAll(CyclicBarrier start) {
    try {
      start.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void isOneStore(Supplier<JdbcStoreBuilder> store) {
    List<List<String>> applied = together(store);
    assertThat(applied).filteredOn(steps -> !steps.isEmpty()).hasSize(1);
    assertThat(store.get().<SchemaState>schema(StoreSchema::state))
        .isEqualTo(new SchemaState.Current());
    try (JdbcStore open = store.get().open()) {
      TestCommands.acquireAndRelease(open.leases(), new LeaseKey("lock/report"));
    }
  }

  @Test
  void on_sqlite() {
    isOneStore(() -> JdbcStore.at("sqlite:" + folder.resolve("leases.db")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void on_postgresql(String isolation) throws SQLException {
    try (Schema schema = new Schema()) {
      isOneStore(() -> JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation)));
      assertThat(schema.value("SELECT count(*) FROM leasehold_store")).isEqualTo("1");
      assertThat(schema.value("SELECT count(*) FROM leasehold_floor")).isEqualTo("2048");
    }
  }

  @Test
  void the_schema_can_be_printed_without_a_database() {
    assertThat(JdbcStore.at("jdbc:cockroachdb://nowhere/x").schemaSql())
        .contains("CREATE TABLE", "FAMILY");
    assertThat(JdbcStore.at("sqlite:nowhere.db").schemaSql()).contains("WITHOUT ROWID");
  }
}
