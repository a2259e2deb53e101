package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.history.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Acquires race the purge of the very keys they want, on two connection pools of one PostgreSQL:
 * whoever comes first, tokens go on from where the purged record stood (I2).
 */
class PurgeRaceTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.proof") ? 100 : 5;
  private static final int KEYS = 30;
  private static final Duration TTL = Duration.ofSeconds(30);

  /** Everything on record happened an hour ago; triggers stay out of it. */
  static final String AGE =
      """
      SET session_replication_role = replica;
      UPDATE leasehold_lease
         SET granted_at = granted_at - 3600000, renewed_at = renewed_at - 3600000,
             expires_at = expires_at - 3600000, progressed_at = progressed_at - 3600000,
             ended_at = ended_at - 3600000, written_at = written_at - 3600000;
      UPDATE leasehold_past_grant
         SET granted_at = granted_at - 3600000, followed_at = followed_at - 3600000;
      """;

  private static final String FLOORS_STAY =
      """
      CREATE FUNCTION test_floors_stay() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RETURN NULL;
      END $$;
      CREATE TRIGGER test_floors_stay BEFORE UPDATE ON leasehold_floor
      FOR EACH ROW EXECUTE FUNCTION test_floors_stay();
      """;

  @TempDir Path folder;

  private final Judged judged = new Judged();
  private PostgresNode node;

  @BeforeEach
  void start() {
    node = PostgresNode.start(folder.resolve("postgres"));
    new Journal(node.database()).install();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void tokensGoOnWhoeverComesFirst() throws Exception {
    Verdict verdict = race();
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 2L * ROUNDS * KEYS);
  }

  /** The control: a purge that does not raise the floor is found out. */
  @Test
  void aPurgeThatLeavesTheFloorIsFoundOut() throws Exception {
    node.database().execute(FLOORS_STAY);
    assertThat(race().broken()).contains(Invariant.I2);
  }

  private Verdict race() throws Exception {
    int purged = 0;
    try (JdbcLeaseStore first = JdbcLeaseStore.at(node.url()).open();
        JdbcLeaseStore second = JdbcLeaseStore.at(node.url()).open()) {
      LeaseStore recorded = judged.recorded(first);
      for (int round = 0; round < ROUNDS; round++) {
        takeAll(recorded);
        node.database().execute(AGE);
        CompletableFuture<PurgeReport> purging =
            second.purge(new PurgeQuery(0, KEYS)).toCompletableFuture();
        takeAll(recorded);
        purged += purging.get(1, TimeUnit.MINUTES).purged();
      }
    }
    assertThat(purged).isPositive();
    return judged.verdict(node.database(), List.of());
  }

  /** All keys at once, each taken and given back. */
  private static void takeAll(LeaseStore store) throws Exception {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      LeaseKey key = new LeaseKey("work/" + i);
      CompletableFuture<Void> done = new CompletableFuture<>();
      all.add(done);
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  Client client = Client.of(store);
                  // In the control, the store may find out by itself and grant nothing any more.
                  if (client.acquire(key, TTL) instanceof Outcome.Granted granted) {
                    client.release(key, granted.grant().token());
                  }
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              });
    }
    for (CompletableFuture<Void> one : all) {
      one.get(1, TimeUnit.MINUTES);
    }
  }
}
