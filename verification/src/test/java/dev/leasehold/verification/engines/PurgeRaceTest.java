package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
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
 * whichever comes first, tokens go on from where the purged record stood (I2). In the first round
 * the purge does come first, so that no run depends on how its races end.
 */
class PurgeRaceTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.proof") ? 100 : 5;
  private static final int KEYS = 30;
  private static final Duration TTL = Duration.ofSeconds(30);

  /** Makes all records an hour older, with triggers disabled. */
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
  void tokensGoOnWhicheverComesFirst() throws Exception {
    CheckResult verdict = race(ROUNDS);
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 2L * ROUNDS * KEYS);
  }

  /** The control: a purge that does not raise the floor is found out by what comes after it. */
  @Test
  void aPurgeThatLeavesTheFloorIsFoundOut() throws Exception {
    node.database().execute(FLOORS_STAY);
    assertThat(race(1).broken()).contains(Invariant.I2);
  }

  private CheckResult race(int rounds) throws Exception {
    try (JdbcStore first = JdbcStore.at(node.url()).open();
        JdbcStore second = JdbcStore.at(node.url()).open()) {
      LeaseStore recorded = judged.recorded(first.leases());
      for (int round = 0; round < rounds; round++) {
        takeAll(recorded);
        node.database().execute(AGE);
        CompletableFuture<PurgeReport> purging =
            second.leases().purge(new PurgeQuery(0, KEYS)).toCompletableFuture();
        if (round == 0) {
          assertThat(purging.get(1, TimeUnit.MINUTES).purged()).isEqualTo(KEYS);
        }
        takeAll(recorded);
        PurgeReport unused = purging.get(1, TimeUnit.MINUTES);
      }
    }
    return judged.verdict(node.database(), List.of());
  }

  /** Acquires and releases all keys at once. */
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
                  // In the control, the store may notice by itself and grant nothing any more.
                  if (acquire(client, key) instanceof Outcome.Granted granted) {
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

  /** A key whose row the purge has locked for longer than a moment is held, with no time left. */
  private static Outcome acquire(Client client, LeaseKey key) throws Exception {
    Outcome outcome = client.acquire(key, TTL);
    while (outcome instanceof Outcome.Held held && held.remainingMillis() == 0) {
      outcome = client.acquire(key, TTL);
    }
    return outcome;
  }
}
