package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connections that a store needs are used up (I12). */
class ShortageTest {
  private static final Duration TTL = Duration.ofMinutes(1);
  private static final int POOL_SIZE = 4;

  @TempDir Path folder;

  /** The control: the pool itself makes its callers wait for half a minute. */
  @Test
  void aPoolThatIsUsedUpIsSaidSoonAndIsNoHarm() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setMaximumPoolSize(POOL_SIZE);
    config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(30));
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"))) {
      config.setJdbcUrl(node.url());
      try (HikariDataSource pool = new HikariDataSource(config);
          JdbcStore store = JdbcStore.on(pool).migrate().open();
          Leases leases = Leases.on(store).holder("holder").open()) {
        LeaseRequest request = LeaseRequest.of("work/one").ttl(TTL);
        List<CompletableFuture<Connection>> taken = takeAll(pool);
        Acquisition acquisition = leases.tryAcquire(request);
        assertThat(acquisition)
            .isInstanceOfSatisfying(
                Acquisition.Failed.class,
                unavailable -> assertThat(unavailable.why()).contains("a connection left?"));
        assertThat(taken).anyMatch(one -> !one.isDone());
        for (CompletableFuture<Connection> one : taken) {
          var unused = one.thenAccept(ShortageTest::close);
        }
        Acquisition afterwards = leases.acquire(request, TTL);
        assertThat(afterwards).isInstanceOf(Acquisition.Acquired.class);
        ((Acquisition.Acquired) afterwards).lease().close();
      }
    }
  }

  /** Asks for more connections than there are, so that every returned one goes to one of these. */
  private static List<CompletableFuture<Connection>> takeAll(HikariDataSource pool) {
    List<CompletableFuture<Connection>> taken = new ArrayList<>();
    for (int i = 0; i < 3 * POOL_SIZE; i++) {
      taken.add(
          CompletableFuture.supplyAsync(
              () -> connect(pool), task -> Thread.ofVirtual().start(task)));
    }
    while (pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 0) {
      Thread.onSpinWait();
    }
    return taken;
  }

  private static Connection connect(HikariDataSource pool) {
    try {
      return pool.getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
