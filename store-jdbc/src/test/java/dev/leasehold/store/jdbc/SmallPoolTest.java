package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools of the application's that have few connections. */
class SmallPoolTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");

  /** Whoever finds none would wait in it for ten minutes. */
  private static HikariDataSource pool(String jdbcUrl, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(Duration.ofMinutes(10).toMillis());
    return new HikariDataSource(config);
  }

  /** And it gives back what it had, which the application needs. */
  private static void refuses(HikariDataSource pool, String... words) throws SQLException {
    assertThatThrownBy(() -> JdbcLeaseStore.on(pool).migrate().open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll(words);
    for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.isClosed()).isFalse();
      }
    }
  }

  /** All that keeps a connection for itself does so, and there is one left for the rest. */
  private static void works(HikariDataSource pool) {
    try (JdbcLeaseStore store = JdbcLeaseStore.on(pool).migrate().open()) {
      Ear ear = new Ear();
      store.watch("", ear);
      ear.awaitReset();
      Token token = Doing.acquire(store, KEY);
      ear.await(new LeaseChange(LeaseChange.Kind.GRANTED, KEY, token));
      assertThat(Doing.outcome(store, Command.Renew.of(KEY, token, Doing.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
      assertThat(Doing.get(store.read(KEY))).isPresent();
      assertThat(Doing.get(store.tidy())).isNotNegative();
      Doing.release(store, KEY, token);
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
  void three_connections_to_a_server_will_do() {
    try (Schema schema = new Schema();
        HikariDataSource pool = pool(schema.url(""), 3)) {
      works(pool);
    }
  }

  @Test
  void a_file_needs_five(@TempDir Path folder) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("leases.db");
    try (HikariDataSource pool = pool(url, 4)) {
      refuses(pool, "gave 4 of the 5 connections", "let it give 10");
    }
    try (HikariDataSource pool = pool(url, 5)) {
      works(pool);
    }
  }
}
