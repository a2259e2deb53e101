package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools of the application with few connections. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class SmallPoolTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");

  /** A caller that gets no connection waits ten minutes for one. */
  private static HikariDataSource pool(String jdbcUrl, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(Duration.ofMinutes(10).toMillis());
    return new HikariDataSource(config);
  }

  /** The store also returns its connections, because the application needs them. */
  private static void refuses(HikariDataSource pool, String... words) throws SQLException {
    assertThatThrownBy(() -> JdbcStore.on(pool).migrate().open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll(words);
    for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.isClosed()).isFalse();
      }
    }
  }

  /** Every part that keeps a connection has one, and one is left for the rest. */
  private static void works(JdbcStore store) throws Exception {
    TestListener listener = new TestListener();
    store.leases().watch("", listener);
    listener.awaitReset();
    Token token = TestCommands.acquire(store.leases(), KEY);
    listener.await(new LeaseChange(LeaseChange.Kind.GRANTED, KEY, token));
    assertThat(TestCommands.outcome(store.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
        .isInstanceOf(Outcome.Renewed.class);
    assertThat(TestCommands.get(store.leases().read(KEY))).isPresent();
    assertThat(TestCommands.get(store.tidy())).isNotNegative();
    assertThat(
            store
                .atEffect("nothing", new RefusalTrail(InstantSource.system()))
                .change(Claim.of(KEY, token), Duration.ofSeconds(30), connection -> 0))
        .isInstanceOf(Changed.Made.class);
    TestCommands.release(store.leases(), KEY, token);
  }

  /** On a file no part returns the connection that it has used. */
  private static void worksOnFile(JdbcStoreBuilder builder) throws Exception {
    try (JdbcStore store = builder.migrate().open()) {
      works(store);
      assertThat(TestCommands.get(store.diagnostics().deliversChanges())).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_pool_that_a_store_would_use_up_by_itself_is_refused(int size) throws SQLException {
    try (Schema schema = new Schema();
        HikariDataSource pool = pool(schema.url(""), size)) {
      refuses(pool, "gave " + size + " of the 3 connections", "let it give 10");
    }
  }

  @Test
  void three_connections_to_a_server_will_do() throws Exception {
    try (Schema schema = new Schema();
        HikariDataSource pool = pool(schema.url(""), 3);
        JdbcStore store = JdbcStore.on(pool).migrate().open()) {
      works(store);
    }
  }

  @Test
  void a_file_needs_seven(@TempDir Path folder) throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("leases.db");
    try (HikariDataSource pool = pool(url, 6)) {
      refuses(pool, "gave 6 of the 7 connections", "let it give 10");
    }
    try (HikariDataSource pool = pool(url, 7)) {
      worksOnFile(JdbcStore.on(pool));
    }
  }

  @Test
  void a_pool_of_our_own_on_a_file_is_big_enough(@TempDir Path folder) throws Exception {
    worksOnFile(JdbcStore.at("sqlite:" + folder.resolve("leases.db")));
  }
}
