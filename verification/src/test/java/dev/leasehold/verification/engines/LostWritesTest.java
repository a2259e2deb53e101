package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.JdbcStoreBuilder;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.verification.engines.Ledger.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Acknowledged writes are lost: a standby is promoted that had not seen them, or a backup is
 * restored, and once more from the same copy. After the incarnation is advanced above what the
 * targets have seen, every token is above all earlier ones (I2), and a holder of a lost one is
 * refused (I4). Without a number and without a witness the advance is refused. If a witness file is
 * left, opening is refused until the advance, which then needs no number.
 */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class LostWritesTest {
  private static final int KEYS = 4;
  private static final Duration TTL = Duration.ofSeconds(30);

  @TempDir Path folder;

  private final Judged judged = new Judged();
  private Optional<Path> witness = Optional.empty();
  private Database outside;
  private PostgresNode node;

  @BeforeEach
  void start() {
    node = PostgresNode.start(folder.resolve("postgres"));
    prepare(node.database());
    // Targets are not rolled back with the store.
    outside = new Database("sqlite:" + folder.resolve("targets.db"));
    prepare(outside);
  }

  private static void prepare(Database database) {
    new Journal(database).install();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aPromotedStandbyOutranksWhatItHadNotSeen() throws Exception {
    CheckResult verdict = promoteAStandby(() -> advance(node, highestSeen()));
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 3L * KEYS);
    verdict.tally().requireAtLeast(Count.REFUSALS, 2L * KEYS);
  }

  /** The control: without the advance, tokens are issued a second time. */
  @Test
  void aPromotedStandbyThatIsNotAdvancedIsFoundOut() throws Exception {
    CheckResult verdict = promoteAStandby(() -> {});
    assertThat(verdict.broken()).contains(Invariant.I2);
  }

  @Test
  void aWitnessTellsOfAPromotedStandbyAndHowHighItsTokensHadCome() throws Exception {
    witness = Optional.of(folder.resolve("data"));
    CheckResult verdict = promoteAStandby(this::advanceByWitness);
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 3L * KEYS);
    verdict.tally().requireAtLeast(Count.REFUSALS, 2L * KEYS);
  }

  @Test
  void aWitnessTellsOfEachRestoredBackupAndHowHighItsTokensHadCome() throws Exception {
    witness = Optional.of(folder.resolve("data"));
    CheckResult verdict = restoreTwice(this::advanceByWitness);
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 2L * KEYS);
    verdict.tally().requireAtLeast(Count.REFUSALS, 4L * KEYS);
  }

  @Test
  void aBackupRestoredTwiceOutranksBothTimes() throws Exception {
    CheckResult verdict = restoreTwice(() -> advance(node, highestSeen()));
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 2L * KEYS);
    verdict.tally().requireAtLeast(Count.REFUSALS, 4L * KEYS);
  }

  /** The control: the same number for the second restore issues the first one's tokens again. */
  @Test
  void theSameNumberForBothRestoresIsFoundOut() throws Exception {
    List<Integer> first = new ArrayList<>();
    CheckResult verdict =
        restoreTwice(
            () -> {
              if (first.isEmpty()) {
                first.add(highestSeen());
              }
              advance(node, first.getFirst());
            });
    assertThat(verdict.broken()).contains(Invariant.I2);
  }

  private interface Step {
    void run() throws Exception;
  }

  private CheckResult promoteAStandby(Step afterwards) throws Exception {
    node.shutDown();
    PostgresNode standby = node.copyAtRest(folder.resolve("standby"));
    try (PostgresNode primary = node) {
      primary.start();
      standby.follow(primary);
      standby.start();
      List<Claim> seen = grants(primary);
      awaitReplay(standby, primary);
      long cutOff = judged.nanos();
      standby.shutDown();
      List<Claim> lost = grants(primary);
      primary.kill();
      standby.start();
      assertThat(standby.database().query(row -> row.getBoolean(1), "SELECT pg_promote()"))
          .containsExactly(true);
      node = standby;
      judged.saw(new Fault.RolledBack(cutOff, judged.nanos()));
      afterwards.run();
      grants(standby);
      comeLate(seen, lost);
      return judge();
    }
  }

  private static void awaitReplay(PostgresNode standby, PostgresNode primary) {
    String written =
        primary
            .database()
            .query(row -> row.getString(1), "SELECT pg_current_wal_flush_lsn()")
            .getFirst();
    while (!standby
        .database()
        .query(
            row -> row.getBoolean(1),
            "SELECT coalesce(pg_last_wal_replay_lsn() >= ?::text::pg_lsn, false)",
            written)
        .getFirst()) {
      Thread.onSpinWait();
    }
  }

  private CheckResult restoreTwice(Step afterwards) throws Exception {
    node.shutDown();
    try (PostgresNode backup = node.copyAtRest(folder.resolve("backup"))) {
      long copied = judged.nanos();
      node.start();
      List<Claim> lost = grants(node);
      restore(backup, copied);
      afterwards.run();
      List<Claim> lostLater = grants(node);
      restore(backup, copied);
      afterwards.run();
      grants(node);
      comeLate(lost, lostLater);
      return judge();
    }
  }

  private void restore(PostgresNode backup, long copied) {
    node.kill();
    node.restore(backup);
    node.start();
    judged.saw(new Fault.RolledBack(copied, judged.nanos()));
  }

  private JdbcStoreBuilder store(PostgresNode on) {
    JdbcStoreBuilder builder = JdbcStore.at(on.url());
    witness.ifPresent(builder::witness);
    return builder;
  }

  /** Each key is taken, used and given back, twice. */
  private List<Claim> grants(PostgresNode on) throws Exception {
    List<Claim> claims = new ArrayList<>();
    try (JdbcStore store = store(on).open();
        Ledger ledger = new Ledger(outside)) {
      Client client = Client.of(judged.recorded(store.leases()));
      for (int i = 0; i < KEYS; i++) {
        LeaseKey key = new LeaseKey("work/" + i);
        for (int grant = 0; grant < 2; grant++) {
          Token token = client.take(key, TTL);
          claims.add(Claim.of(key, token));
          ledger.change(Target.FENCED, claims.getLast(), judged.nanos());
          client.release(key, token);
        }
      }
    }
    return claims;
  }

  /** The highest incarnation that an operator finds in the targets' marks. */
  private int highestSeen() {
    long highest =
        outside.query(row -> row.getLong(1), "SELECT max(token) FROM test_mark").getFirst();
    return new Token(highest).incarnation();
  }

  private void advance(PostgresNode on, int above) throws Exception {
    try (JdbcStore store = JdbcStore.at(on.url()).open()) {
      LeaseStore recorded = judged.recorded(store.leases());
      assertThat(advance(recorded, OptionalInt.empty())).isInstanceOf(Advance.Refused.class);
      assertThat(advance(recorded, OptionalInt.of(above))).isInstanceOf(Advance.Advanced.class);
    }
  }

  private void advanceByWitness() throws Exception {
    assertThatThrownBy(() -> store(node).open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll("earlier state", "leasehold incarnation advance");
    try (JdbcStore store = store(node).evenIfRolledBack().open()) {
      Outcome refused =
          Client.of(judged.recorded(store.leases())).acquire(new LeaseKey("work/0"), TTL);
      assertThat(refused).isInstanceOf(Outcome.Failed.class);
      assertThat(advance(judged.recorded(store.leases()), OptionalInt.empty()))
          .isInstanceOf(Advance.Advanced.class);
    }
  }

  private static Advance.Outcome advance(LeaseStore store, OptionalInt above) throws Exception {
    // No holder in this test still trusts a lost grant, so no hold-off is needed.
    return store
        .advance(new Advance(above, OptionalInt.empty(), OptionalLong.of(0)))
        .toCompletableFuture()
        .get(1, TimeUnit.MINUTES);
  }

  /** Asserts that holders of tokens from before the rollback are refused. */
  @SafeVarargs
  private void comeLate(List<Claim>... late) throws Exception {
    try (Ledger ledger = new Ledger(outside)) {
      for (List<Claim> claims : late) {
        for (Claim claim : claims) {
          boolean unused = ledger.change(Target.FENCED, claim, judged.nanos());
        }
      }
    }
  }

  private CheckResult judge() {
    return judged.verdict(node.database(), Ledger.events(outside, Target.FENCED));
  }
}
