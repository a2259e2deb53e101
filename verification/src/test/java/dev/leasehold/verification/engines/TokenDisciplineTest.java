package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Misfortunes of an issuer of tokens on a real PostgreSQL, each with two issuers: a counter as it
 * is often written, which adds one to the number in the database, and Leasehold. The target is in
 * another database, behind a high-water mark. The counter issues a zombie's number again, and with
 * it the zombie writes after its successor; Leasehold never does, and the zombie is refused.
 */
class TokenDisciplineTest {
  private static final Duration TTL = Duration.ofSeconds(30);

  private static final String COUNTER = "CREATE TABLE counter (key text, token bigint)";

  /** Adds one to the number in the database. */
  private static final String COUNT =
      """
      INSERT INTO counter SELECT k, coalesce(max(c.token), 0) + 1
        FROM (VALUES (?)) AS keys (k) LEFT JOIN counter c ON c.key = k GROUP BY k
      RETURNING token
      """;

  @TempDir static Path folder;
  private static PostgresNode targets;
  private static PostgresNode backup;
  private static PostgresNode node;

  private LeaseKey key;
  private TokenStory naive;
  private TokenStory ours;

  @BeforeAll
  static void start() throws Exception {
    targets = PostgresNode.start(folder.resolve("targets"));
    TokenStory.prepare(targets.database());
    node = PostgresNode.start(folder.resolve("postgres"));
    JdbcStore.at(node.url()).migrate().open().close();
    node.database().execute(COUNTER);
    node.shutDown();
    backup = node.copyAtRest(folder.resolve("backup"));
    node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
    backup.close();
    targets.close();
  }

  /** Each test has a key of its own, which no other has used. */
  @BeforeEach
  void begin(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName();
    key = LeaseKey.of("leader", name);
    naive = new TokenStory(this::count, fence("counter of " + name), targets.database());
    ours = new TokenStory(this::acquire, fence(name), targets.database());
  }

  private static JdbcFence fence(String target) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(targets.url());
    return JdbcFence.before(target, database);
  }

  private Claim count() {
    return Claim.of(
        key, new Token(node.database().query(row -> row.getLong(1), COUNT, key.text()).getFirst()));
  }

  /** Acquires as a process that has just started and remembers nothing. */
  private Claim acquire() throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).open()) {
      return Claim.of(key, Client.of(store.leases()).take(key, TTL));
    }
  }

  @Test
  void aRestoredBackup() throws Exception {
    Claim naiveZombie = naive.next("zombie");
    Claim zombie = ours.next("zombie");

    restore();
    advance();

    theZombieOfTheCounterWrites(naiveZombie);
    ourZombieIsRefused(zombie);
  }

  /** Grants after the first restore are lost by the second. */
  @Test
  void aBackupThatIsRestoredTwice() throws Exception {
    Claim first = ours.next("first zombie");
    restore();
    advance();
    Claim naiveZombie = naive.next("zombie");
    Claim second = ours.next("second zombie");

    restore();
    advance();

    theZombieOfTheCounterWrites(naiveZombie);
    ourZombieIsRefused(second);
    assertThat(ours.write(first)).isEqualTo(stale());
  }

  @Test
  void aFailoverThatLosesWrites() throws Exception {
    node.shutDown();
    PostgresNode standby = node.copyAtRest(folder.resolve("standby"));
    try (PostgresNode primary = node) {
      primary.start();
      standby.follow(primary);
      standby.start();
      // The standby is cut off, and then falls behind.
      standby.shutDown();
      Claim naiveZombie = naive.next("zombie");
      Claim zombie = ours.next("zombie");
      primary.kill();
      standby.start();
      assertThat(standby.database().query(row -> row.getBoolean(1), "SELECT pg_promote()"))
          .containsExactly(true);
      node = standby;
      advance();

      theZombieOfTheCounterWrites(naiveZombie);
      ourZombieIsRefused(zombie);
    }
  }

  /** As a user does to remove a lock that seems to be left over. */
  @Test
  void aRowThatIsDeletedAndMadeAnew() throws Exception {
    Claim naiveZombie = naive.next("zombie");
    Claim zombie = ours.next("zombie");

    node.database().execute("DELETE FROM counter");
    node.database().execute("DELETE FROM leasehold_lease");

    theZombieOfTheCounterWrites(naiveZombie);
    ourZombieIsRefused(zombie);
  }

  @Test
  void allRowsDeletedAtOnce() throws Exception {
    Claim naiveZombie = naive.next("zombie");
    Claim zombie = ours.next("zombie");

    node.database().execute("TRUNCATE counter, leasehold_lease");

    theZombieOfTheCounterWrites(naiveZombie);
    ourZombieIsRefused(zombie);
  }

  @Test
  void aPurgedKey() throws Exception {
    Claim naiveZombie = naive.next("zombie");
    Claim zombie = ours.next("zombie");

    node.database().execute("DELETE FROM counter");
    node.database().execute(PurgeRaceTest.AGE);
    try (JdbcStore store = JdbcStore.at(node.url()).open()) {
      store.leases().purge(new PurgeQuery(0, 10)).toCompletableFuture().get(1, TimeUnit.MINUTES);
      assertThat(store.leases().read(key).toCompletableFuture().get(1, TimeUnit.MINUTES)).isEmpty();
    }

    theZombieOfTheCounterWrites(naiveZombie);
    ourZombieIsRefused(zombie);
  }

  /** The counter is kept in an unlogged table, as users do because leases are short-lived. */
  @Test
  void anIssuerThatIsKilledAndStartedAgain() throws Exception {
    node.database().execute("ALTER TABLE counter SET UNLOGGED");
    Claim naiveZombie = naive.next("zombie");
    Claim zombie = ours.next("zombie");

    node.kill();
    node.start();
    node.database().execute(PurgeRaceTest.AGE);

    theZombieOfTheCounterWrites(naiveZombie);
    ourZombieIsRefused(zombie);
  }

  /** One operator does not know of the other, or of the first advance. */
  @Test
  void anAdvanceThatIsMadeTwiceAndByTwoAtOnce() throws Exception {
    Claim first = ours.next("first");
    OptionalInt found = OptionalInt.of(ours.mark().incarnation());
    try (JdbcStore here = JdbcStore.at(node.url()).open();
        JdbcStore there = JdbcStore.at(node.url()).open()) {
      Advance.Outcome once = advance(here, found);
      Claim between = ours.next("between");
      CompletableFuture<Advance.Outcome> again = advancing(here, found);
      CompletableFuture<Advance.Outcome> meanwhile = advancing(there, found);

      assertThat(
              Stream.of(once, again.get(1, TimeUnit.MINUTES), meanwhile.get(1, TimeUnit.MINUTES))
                  .map(outcome -> ((Advance.Advanced) outcome).incarnation())
                  .distinct())
          .as("incarnations")
          .hasSize(3);
      ourZombieIsRefused(between);
      assertThat(ours.write(first)).isEqualTo(stale());
    }
  }

  @Test
  void anAdvanceWhileAHolderIsAlive() throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).open();
        Leases leases = Leases.on(store).holder("alive").open()) {
      LeaseRequest request = LeaseRequest.of(key).ttl(Duration.ofSeconds(3));
      AtEffect atEffect = store.atEffect("rows", new RefusalTrail(InstantSource.system()));
      Lease alive = lease(leases.tryAcquire(request));
      assertThat(ours.write(alive.claim())).isInstanceOf(Changed.Made.class);
      assertThat(atEffect.admit(alive.claim())).isEqualTo(Admission.ADMITTED);

      advance();

      assertThat(atEffect.admit(alive.claim())).isInstanceOf(Admission.Stale.class);
      ourZombieIsRefused(alive.claim());
      assertThat(alive.lost().toCompletableFuture().get(1, TimeUnit.MINUTES))
          .isEqualTo(new LossReason.IncarnationAdvanced());
      // The store is not suspected: the successor simply holds the key.
      assertThat(leases.tryAcquire(request)).isInstanceOf(Acquisition.Held.class);
    }
  }

  private static Lease lease(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  /** The control of all tests: with the counter, the zombie's write is admitted. */
  private void theZombieOfTheCounterWrites(Claim zombie) throws Exception {
    Claim successor = naive.next("successor");
    assertThat(successor.token()).isEqualTo(zombie.token());
    assertThat(naive.write(zombie)).isInstanceOf(Changed.Made.class);
    assertThat(naive.writers()).containsExactly("zombie", "successor", "zombie");
  }

  private void ourZombieIsRefused(Claim zombie) throws Exception {
    Claim successor = ours.next("successor");
    assertThat(successor.token().isAbove(zombie.token())).isTrue();
    assertThat(ours.write(zombie)).isEqualTo(stale());
    assertThat(ours.writers()).endsWith("successor");
  }

  private Changed<Integer> stale() {
    return new Changed.NotMade<>(new Admission.Stale(ours.mark()));
  }

  private static void restore() {
    node.kill();
    node.restore(backup);
    node.start();
  }

  /** Above what the operator has found at the target. */
  private void advance() throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).open()) {
      assertThat(advance(store, OptionalInt.of(ours.mark().incarnation())))
          .isInstanceOf(Advance.Advanced.class);
    }
  }

  /** Without a hold-off, because these tests need a holder that still trusts a lost grant. */
  private static Advance.Outcome advance(JdbcStore store, OptionalInt above) throws Exception {
    return advancing(store, above).get(1, TimeUnit.MINUTES);
  }

  private static CompletableFuture<Advance.Outcome> advancing(JdbcStore store, OptionalInt above) {
    return store
        .leases()
        .advance(new Advance(above, OptionalInt.empty(), OptionalLong.of(0)))
        .toCompletableFuture();
  }
}
