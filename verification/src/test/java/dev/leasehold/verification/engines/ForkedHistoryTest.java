package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A real PostgreSQL loses acknowledged grants and goes on, until its log position and its tokens
 * have passed the lost ones. Processes that knew of the grants refuse it all the same, whether they
 * are still open or restart with their witness, until the incarnation is advanced. A failover that
 * lost nothing is not refused.
 */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class ForkedHistoryTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final LeaseKey OTHER_KEY = new LeaseKey("lock/other");
  private static final Duration TTL = Duration.ofSeconds(60);
  private static final Pattern WAL = Pattern.compile("(?m)^wal ([0-9]+)$");
  private static final Pattern TIMELINE = Pattern.compile("(?m)^timeline ([0-9]+)$");

  @TempDir Path folder;

  private PostgresNode node;

  @BeforeEach
  void start() {
    node = PostgresNode.start(folder.resolve("postgres"));
    JdbcStore.at(node.url()).migrate().open().close();
    node.database().execute("CREATE TABLE load (text text)");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Path data(String name) {
    return folder.resolve(name);
  }

  private JdbcStore open(String url, String name) {
    return JdbcStore.at(url).witness(data(name)).open();
  }

  @Test
  void aRestoredFileIsRefusedAlsoAfterItsLogHasPassedTheOldPosition() throws Exception {
    node.shutDown();
    try (PostgresNode backup = node.copyAtRest(folder.resolve("backup"))) {
      node.start();
      Token lost;
      try (JdbcStore p = open(node.url(), "p");
          JdbcStore c = open(node.url(), "c")) {
        lost = Client.of(c.leases()).take(KEY, TTL);
        long position = position(node);
        awaitWitnessed(data("p"), position);
        restore(backup);
        requireRefusal(p);
        requireRefusal(c);

        pass(node, position + 40_000_000L);
        assertThat(Client.of(p.leases()).acquire(KEY, TTL)).isInstanceOf(Outcome.Failed.class);
        assertThat(Client.of(c.leases()).acquire(KEY, TTL)).isInstanceOf(Outcome.Failed.class);
      }
      requireRefusedAtOpening("p");
      requireRefusedAtOpening("c");
      assertThat(advanceAndTake("p")).isGreaterThan(lost);
    }
  }

  @Test
  void aCopyThatIsRestoredTwiceIsRefusedTwice() throws Exception {
    node.shutDown();
    try (PostgresNode backup = node.copyAtRest(folder.resolve("backup"))) {
      node.start();
      Token highest = takeOnce(node.url(), "c");
      for (int i = 0; i < 2; i++) {
        long position = position(node);
        restore(backup);
        goOnWithoutAWitness(node);
        pass(node, position);
        requireRefusedAtOpening("c");
        Token next = advanceAndTake("c");
        assertThat(next).isGreaterThan(highest);
        highest = next;
      }
    }
  }

  @Test
  void aFailoverUnderLoadThatLostGrantsIsRefusedWhenItsTokensHavePassedThem() throws Exception {
    node.shutDown();
    PostgresNode standby = node.copyAtRest(folder.resolve("standby"));
    try (PostgresNode primary = node) {
      primary.start();
      standby.follow(primary);
      standby.start();
      Token lost;
      try (Load load = new Load(primary);
          JdbcStore c = open(urlOf(primary, standby), "c")) {
        takeOnce(primary.url(), "c");
        load.awaitRows(20);
        // From here on the primary is ahead of it.
        standby.shutDown();
        lost = Client.of(c.leases()).take(KEY, TTL);
        load.awaitRows(20);
        long position = position(primary);
        primary.kill();
        promote(standby);
        assertThat(goOnWithoutAWitness(node)).isGreaterThanOrEqualTo(lost);
        pass(node, position);
        requireRefusal(c);
      }
      requireRefusedAtOpening("c");
      assertThat(advanceAndTake("c")).isGreaterThan(lost);
    }
  }

  /** A promotion is not evidence by itself. */
  @Test
  void aSwitchoverThatLostNothingGoesOn() throws Exception {
    node.shutDown();
    PostgresNode standby = node.copyAtRest(folder.resolve("standby"));
    try (PostgresNode primary = node) {
      primary.start();
      standby.follow(primary);
      standby.start();
      awaitStreaming(primary);
      try (JdbcStore c = open(urlOf(primary, standby), "c")) {
        Client client = Client.of(c.leases());
        Token token = client.take(KEY, TTL);
        primary.shutDown();
        promote(standby);
        Outcome renewed = client.renew(KEY, token);
        while (renewed instanceof Outcome.Failed && c.diagnostics().refusal().isEmpty()) {
          renewed = client.renew(KEY, token);
        }
        assertThat(c.diagnostics().refusal()).isEmpty();
        assertThat(renewed).isInstanceOf(Outcome.Renewed.class);
      }
      open(node.url(), "c").close();
    }
  }

  /**
   * A standby is promoted while the primary goes on. A process that has connected to the standby
   * stops granting on its remaining connections to the primary.
   */
  @Test
  void nothingIsGrantedByAPrimaryOnceAPromotedStandbyWasMet() throws Exception {
    node.shutDown();
    PostgresNode standby = node.copyAtRest(folder.resolve("standby"));
    try (PostgresNode primary = node) {
      primary.start();
      standby.follow(primary);
      standby.start();
      awaitStreaming(primary);
      // The standby comes first in the URL: it is used as soon as it is promoted.
      String url = urlOf(standby, primary) + "&hostRecheckSeconds=0";
      try (JdbcStore c = open(url, "c")) {
        Client.of(c.leases()).take(OTHER_KEY, TTL);
        awaitStreamed(primary);
        promote(standby);
        while (timeline(data("c")) < 2 && c.diagnostics().refusal().isEmpty()) {
          primary
              .database()
              .execute(
                  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                      + " WHERE query LIKE '%leasehold_chain%' AND pid <> pg_backend_pid()");
        }
        Client.of(c.leases()).acquire(KEY, TTL);
        assertThat(primary.leases(KEY.text())).isZero();
      }
    }
  }

  /** Waits until the standby has all current writes. */
  private static void awaitStreamed(PostgresNode primary) {
    long position = position(primary);
    String behind =
        "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn - '0/0'::pg_lsn < " + position;
    while (primary.database().query(row -> row.getInt(1), behind).getFirst() > 0) {
      Thread.onSpinWait();
    }
  }

  private static long timeline(Path data) throws IOException {
    return witnessed(data, TIMELINE);
  }

  private void promote(PostgresNode standby) {
    if (standby.isDown()) {
      standby.start();
    }
    assertThat(standby.database().query(row -> row.getBoolean(1), "SELECT pg_promote()"))
        .containsExactly(true);
    node = standby;
  }

  private static String urlOf(PostgresNode one, PostgresNode other) {
    return "jdbc:postgresql://127.0.0.1:"
        + one.port()
        + ",127.0.0.1:"
        + other.port()
        + "/postgres?user=postgres&targetServerType=primary";
  }

  private static void awaitStreaming(PostgresNode primary) {
    String streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
    while (primary.database().query(row -> row.getInt(1), streaming).getFirst() == 0) {
      Thread.onSpinWait();
    }
  }

  private void restore(PostgresNode backup) {
    node.kill();
    node.restore(backup);
    node.start();
  }

  private static long position(PostgresNode on) {
    return on.database()
        .query(row -> row.getLong(1), "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint")
        .getFirst();
  }

  /** Waits until the witness file includes this position. */
  private static void awaitWitnessed(Path data, long position) throws IOException {
    while (witnessedPosition(data) < position) {
      Thread.onSpinWait();
    }
  }

  private static long witnessedPosition(Path data) throws IOException {
    return witnessed(data, WAL);
  }

  private static long witnessed(Path data, Pattern what) throws IOException {
    Path witness = data.resolve("witness");
    if (Files.notExists(witness)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(witness)) {
      for (Path file : files.filter(f -> f.toString().matches(".*/[0-9a-f-]{36}")).toList()) {
        Matcher found = what.matcher(Files.readString(file));
        if (found.find()) {
          return Long.parseLong(found.group(1));
        }
      }
    }
    return 0;
  }

  /** Writes that have nothing to do with leases. */
  private static void pass(PostgresNode on, long position) {
    while (position(on) <= position) {
      on.database()
          .execute(
              "INSERT INTO load SELECT repeat(md5(n::text), 60) FROM generate_series(1, 5000) n");
    }
  }

  /** A process without a witness is granted the same tokens again, and higher ones. */
  private static Token goOnWithoutAWitness(PostgresNode on) throws Exception {
    try (JdbcStore store = JdbcStore.at(on.url()).open()) {
      Client client = Client.of(store.leases());
      for (int i = 0; i < 3; i++) {
        client.release(KEY, client.take(KEY, TTL));
      }
      return client.take(KEY, TTL);
    }
  }

  private Token takeOnce(String url, String name) throws Exception {
    try (JdbcStore store = open(url, name)) {
      Client client = Client.of(store.leases());
      Token token = client.take(KEY, TTL);
      client.release(KEY, token);
      return token;
    }
  }

  /** Asserts that the store refuses once it has a connection again. */
  private static void requireRefusal(JdbcStore store) throws Exception {
    Outcome outcome = Client.of(store.leases()).acquire(OTHER_KEY, TTL);
    while (outcome instanceof Outcome.Failed && store.diagnostics().refusal().isEmpty()) {
      outcome = Client.of(store.leases()).acquire(OTHER_KEY, TTL);
    }
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(store.diagnostics().refusal().orElseThrow())
        .contains("earlier state", "incarnation advance");
  }

  private void requireRefusedAtOpening(String name) {
    assertThatThrownBy(() -> open(node.url(), name))
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll("earlier state", "leasehold incarnation advance");
  }

  private Token advanceAndTake(String name) throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).witness(data(name)).evenIfRolledBack().open()) {
      Advance advance = new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(0));
      assertThat(store.leases().advance(advance).toCompletableFuture().get(1, TimeUnit.MINUTES))
          .isInstanceOf(Advance.Advanced.class);
    }
    return takeOnce(node.url(), name);
  }

  /** Writes rows to a server until it is gone. */
  private static final class Load implements AutoCloseable {
    private final PostgresNode on;
    private final Thread writer;
    private volatile boolean stopped;
    private final AtomicLong rows = new AtomicLong();

    Load(PostgresNode on) {
      this.on = on;
      this.writer = Thread.ofPlatform().name("load").start(this::write);
    }

    private void write() {
      while (!stopped) {
        try {
          on.database().execute("INSERT INTO load SELECT repeat('x', 100000)");
          rows.incrementAndGet();
        } catch (IllegalStateException e) {
          // The server is gone, which is what the test is about.
          return;
        }
      }
    }

    void awaitRows(int more) {
      long until = rows.get() + more;
      while (rows.get() < until) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      stopped = true;
      boolean interrupted = false;
      while (writer.isAlive()) {
        try {
          writer.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
