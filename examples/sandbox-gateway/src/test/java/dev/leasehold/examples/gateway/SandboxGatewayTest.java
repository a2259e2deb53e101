package dev.leasehold.examples.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.examples.gateway.Sandbox.Phase;
import dev.leasehold.fence.Token;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.random.Seed;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Real replicas on PostgreSQL. While users write, the leader is killed, paused beyond its lease and
 * asked to stop: no accepted write is lost, no write of a superseded reconciler lands, and every
 * sandbox reaches its wanted state. The control leaves out the claim, and loses a sandbox.
 */
class SandboxGatewayTest {
  private static final System.Logger LOG = System.getLogger(SandboxGatewayTest.class.getName());
  private static final int ROUNDS = Boolean.getBoolean("leasehold.proof") ? 10 : 1;
  private static final int REPLICAS = 3;
  private static final int WRITES_BETWEEN = 25;
  private static final Duration PACE = Duration.ofMillis(50);

  private static EmbeddedPostgres postgres;
  private static int databases;

  private final LateWire wire = new LateWire();
  private final String url = newDatabase();
  private final JdbcStore store = JdbcStore.at(url).migrate().open();
  private final VersionedObjects objects = VersionedObjects.on(store.objects());
  private final Driver driver = Driver.start(0, PACE, wire);

  /** The fate of a leader. */
  private enum Fate {
    KILLED,
    PAUSED,
    ASKED_TO_GO
  }

  SandboxGatewayTest() throws IOException, SQLException {}

  @BeforeAll
  static void startPostgres() throws IOException {
    postgres =
        EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .start();
  }

  private static String newDatabase() throws SQLException {
    String name = "test" + databases++;
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return postgres.getJdbcUrl("postgres", name);
  }

  @AfterEach
  void close() {
    driver.close();
    store.close();
  }

  @AfterAll
  static void stopPostgres() throws IOException {
    postgres.close();
  }

  @Test
  void noWriteIsLostAndNoSupersededReconcilerWrites() {
    SplittableRandom random = Seed.forTest("sandbox gateway").random();
    try (Fleet fleet = fleet(Attached.Claims.BROUGHT, REPLICAS)) {
      Users users = new Users(fleet);
      try (users) {
        users.begin(random.split());
        users.awaitMore(WRITES_BETWEEN);
        for (Fate fate : fates(random)) {
          befall(fate, fleet, users);
        }
      }
      LOG.log(
          Level.INFO, "{0} writes to {1} sandboxes", users.accepted(), users.sandboxes().size());
      fleet.awaitThat("all is as it was wanted", () -> unfinished(users).isEmpty());
      assertNothingLost(users);
    }
  }

  private static List<Fate> fates(SplittableRandom random) {
    List<Fate> fates = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Fate> left = new ArrayList<>(List.of(Fate.values()));
      while (!left.isEmpty()) {
        fates.add(left.remove(random.nextInt(left.size())));
      }
    }
    return fates;
  }

  private void befall(Fate fate, Fleet fleet, Users users) {
    Fleet.Replica leader = fleet.awaitLeader();
    Token term = leader.term().orElseThrow();
    long start = Fleet.nanos();
    switch (fate) {
      case KILLED -> leader.kill();
      case PAUSED -> leader.signal("STOP");
      case ASKED_TO_GO -> leader.signal("TERM");
    }
    Fleet.Replica successor = fleet.awaitLeaderAfter(term);
    long millis = TimeUnit.NANOSECONDS.toMillis(Fleet.nanos() - start);
    LOG.log(
        Level.INFO,
        "{0} was {1}, {2} leads {3} ms later",
        leader.name(),
        fate,
        successor.name(),
        millis);
    Archive archive = Archive.of(successor.term().orElseThrow(), objects);
    if (fate == Fate.PAUSED) {
      leader.signal("CONT");
      leader.awaitSaying("lost " + term);
    } else {
      fleet.start();
    }
    users.awaitMore(WRITES_BETWEEN);
    archive.compareWith(Archive.records(objects));
  }

  /** The sandboxes that are not yet in their final state. */
  private List<String> unfinished(Users users) {
    Map<String, Sandbox> records = Archive.records(objects);
    return users.sandboxes().stream()
        .filter(one -> !isFinal(one, Optional.ofNullable(records.get(one.id)).map(Sandbox::phase)))
        .map(one -> one.id)
        .toList();
  }

  private static boolean isFinal(Users.Promises one, Optional<Phase> phase) {
    if (phase.isEmpty()) {
      return one.deleteAsked || one.image.equals("lossy") || !one.created;
    }
    Phase wanted = one.image.equals("broken") ? Phase.ERROR : Phase.READY;
    return phase.get() == wanted && !one.deletePromised && !one.image.equals("lossy");
  }

  private void assertNothingLost(Users users) {
    Map<String, Sandbox> records = Archive.records(objects);
    for (Users.Promises one : users.sandboxes()) {
      Sandbox sandbox = records.get(one.id);
      if (sandbox != null) {
        assertThat(sandbox.labels())
            .as("labels of %s", one.id)
            .containsAll(one.labels)
            .doesNotHaveDuplicates();
        assertThat(Users.count(sandbox))
            .as("notes of %s", one.id)
            .isBetween(one.notes.get(), one.notes.get() + one.notesUnanswered.get());
      }
    }
  }

  @Test
  void aReconcilerThatWasPausedDropsNothingThatItBelievesGone() {
    try (Fleet fleet = fleet(Attached.Claims.BROUGHT, 2)) {
      Fleet.Replica late = resumeAfterALateAnswer(fleet);
      late.awaitSaying("refused x ");
      assertThat(late.last("dropped")).isEmpty();
      assertThat(phaseOfX()).contains(Phase.READY);
    }
  }

  /** The record has not changed meanwhile, so its version does not reveal the pause. */
  @Test
  void withoutTheClaimItDropsASandboxThatRuns() {
    try (Fleet fleet = fleet(Attached.Claims.LEFT_OUT, 2)) {
      Fleet.Replica late = resumeAfterALateAnswer(fleet);
      late.awaitSaying("dropped x");
      assertThat(Archive.records(objects)).isEmpty();
    }
  }

  /**
   * A leader asks once more whether a sandbox is really gone, and is paused before it has the
   * answer. The driver finds the sandbox again, another replica leads, and the first one continues.
   */
  private Fleet.Replica resumeAfterALateAnswer(Fleet fleet) {
    objects.create(Sandbox.name("x"), Sandbox.wanted("plain", "test").payload());
    fleet.awaitThat("x is ready", () -> phaseOfX().filter(Phase.READY::equals).isPresent());
    LateWire.Held answer = wire.holdNextAbsence("x", () -> driver.recall("x"));
    driver.forget("x");
    fleet.awaitThat("a leader asks for x", () -> answer.asker().isDone());
    Fleet.Replica asker = fleet.named(answer.asker().join());
    asker.signal("STOP");
    answer.letGo().countDown();
    fleet.awaitLeaderAfter(asker.term().orElseThrow());
    asker.signal("CONT");
    return asker;
  }

  private Optional<Phase> phaseOfX() {
    return Optional.ofNullable(Archive.records(objects).get("x")).map(Sandbox::phase);
  }

  private Fleet fleet(Attached.Claims claims, int replicas) {
    Fleet fleet =
        new Fleet(
            claims,
            List.of(
                "store=" + url,
                "driver=http://localhost:" + driver.port(),
                "ttl=PT1S",
                "sweep=PT0.2S",
                "grace=PT0.5S"));
    for (int i = 0; i < replicas; i++) {
      fleet.start();
    }
    return fleet;
  }
}
