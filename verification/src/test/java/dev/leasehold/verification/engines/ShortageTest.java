package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.model.ForwardingStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store needs is used up: connections (I12), or room on the disk (I7). */
class ShortageTest {
  private static final Duration TTL = Duration.ofMinutes(1);
  private static final int POOL_SIZE = 4;
  private static final int MAX_KEYS = 5_000;

  @TempDir Path folder;

  /** The pool itself would keep its callers waiting for half a minute: that is the control. */
  @Test
  void aPoolThatIsUsedUpIsSaidSoonAndIsNoHarm() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setMaximumPoolSize(POOL_SIZE);
    config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(30));
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"))) {
      config.setJdbcUrl(node.url());
      try (HikariDataSource pool = new HikariDataSource(config);
          JdbcLeaseStore store = JdbcLeaseStore.on(pool).migrate().open();
          Leases leases = Leases.on(store).holder("holder").open()) {
        LeaseRequest request = LeaseRequest.of("work/one").ttl(TTL);
        List<CompletableFuture<Connection>> taken = takeAll(pool);
        Acquisition acquisition = leases.tryAcquire(request);
        assertThat(acquisition).isInstanceOf(Acquisition.Unavailable.class);
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

  /** More than there are, so that whoever gives one back gives it to one of these. */
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

  @Test
  void aFullDiskIsSaidAndCostsNothingThatWasAcknowledged() throws Exception {
    Verdict verdict = fillTheDisk(store -> store);
    verdict.requireClean();
  }

  /** The control: an answer that pretends that there was room is found out. */
  @Test
  void pretendingThatThereWasRoomIsFoundOut() throws Exception {
    Verdict verdict = fillTheDisk(Pretending::new);
    assertThat(verdict.broken()).contains(Invariant.I7);
  }

  private Verdict fillTheDisk(UnaryOperator<LeaseStore> defect) throws Exception {
    Database database = new Database("sqlite:" + folder.resolve("leases.db"));
    new Journal(database).install();
    long pages = database.query(row -> row.getLong(1), "PRAGMA page_count").getFirst() + 20;
    Judged judged = new Judged();
    List<Claim> held = new ArrayList<>();
    List<Outcome> failures = new ArrayList<>();
    try (JdbcLeaseStore store =
        JdbcLeaseStore.at(database.url() + "?max_page_count=" + pages).open()) {
      Client client = Client.of(judged.recorded(defect.apply(store)));
      for (int i = 0; i < MAX_KEYS && failures.isEmpty(); i++) {
        LeaseKey key = new LeaseKey("work/" + i);
        switch (client.acquire(key, TTL)) {
          case Outcome.Granted granted -> held.add(Claim.of(key, granted.grant().token()));
          case Outcome.Failed failed -> failures.add(failed);
          case Outcome other -> throw new AssertionError(other);
        }
      }
      assertThat(held).hasSizeGreaterThan(10);
      assertThat(failures).singleElement().asString().contains("full");
      for (Claim claim : held.subList(0, 10)) {
        Outcome unused = client.release(claim.key(), claim.token());
      }
    }
    try (JdbcLeaseStore store = JdbcLeaseStore.at(database.url()).open()) {
      Token unused = Client.of(judged.recorded(store)).take(new LeaseKey("work/new"), TTL);
    }
    return judged.verdict(database, List.of());
  }

  /** Takes every release for done. */
  private static final class Pretending extends ForwardingStore {
    Pretending(LeaseStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return batch.getFirst() instanceof Command.Release
          ? CompletableFuture.completedFuture(List.of(new Outcome.Released()))
          : super.apply(batch);
    }
  }
}
