package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.files.QuickFolders;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers on one PostgreSQL: any of them answers any call. */
@Timeout(300)
class ReplicasTest {
  private static Optional<EmbeddedPostgres> own = Optional.empty();
  private static JdbcStore firstStore;
  private static JdbcStore secondStore;
  private static LeaseholdServer first;
  private static LeaseholdServer second;

  @BeforeAll
  static void start() throws IOException {
    Optional<String> given = Optional.ofNullable(System.getenv("LEASEHOLD_TEST_POSTGRES"));
    String url;
    if (given.isPresent()) {
      url = given.get();
    } else {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.builder()
              .setPGStartupWait(Duration.ofMinutes(2))
              .setDataDirectory(QuickFolders.make("leasehold-postgres-"))
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .start();
      own = Optional.of(postgres);
      url = postgres.getJdbcUrl("postgres", "postgres");
    }
    firstStore = JdbcStore.at(url).migrate().open();
    secondStore = JdbcStore.at(url).migrate().open();
    first = LeaseholdServer.on(firstStore).start();
    second = LeaseholdServer.on(secondStore).start();
  }

  @AfterAll
  static void stop() throws IOException {
    first.close();
    second.close();
    firstStore.close();
    secondStore.close();
    if (own.isPresent()) {
      own.get().close();
    }
  }

  private Caller here;
  private Caller there;

  @BeforeEach
  void call() {
    here = new Caller(first.address());
    there = new Caller(second.address());
  }

  private static double takeovers(Caller caller) {
    String name = "leasehold_takeovers_total ";
    return caller
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  @Test
  void aTakeoverIsTakenNoteOfByBoth() {
    double knownHere = takeovers(here);
    double knownThere = takeovers(there);
    String acquire = "{~key~:~replicas/followed~,~holder~:~h~,~ttlMs~:%d,~waitMs~:%d,$}";
    here.post("/v1/leases/acquire", acquire.formatted(200, 0));
    Caller.Reply next = there.post("/v1/leases/acquire", acquire.formatted(30_000, 60_000));
    assertThat(next.outcome()).isEqualTo("granted");
    while (takeovers(here) == knownHere || takeovers(there) == knownThere) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatOneGrantsTheOtherKnows() {
    long token = here.acquire("replicas/a").token();
    assertThat(there.acquire("replicas/a").outcome()).isEqualTo("held");
    assertThat(there.get("/v1/leases/replicas/a").json().number("token")).isEqualTo(token);
    Caller same = new Caller(second.address());
    assertThat(same.release("replicas/a", token).json().text("reason")).isEqualTo("NOT_HOLDER");
    assertThat(here.release("replicas/a", token).outcome()).isEqualTo("released");
    assertThat(there.acquire("replicas/a").token()).isGreaterThan(token);
  }

  @Test
  void aReleaseAtOneWakesWhoWaitsAtTheOther() {
    long token = here.acquire("replicas/b").token();
    CompletableFuture<Caller.Reply> later =
        there.postLater(
            "/v1/leases/acquire",
            "{~key~:~replicas/b~,~holder~:~h~,~ttlMs~:30000,~waitMs~:60000,$}");
    while (!there.get("/metrics").text().contains("leasehold_requests{state=\"waiting\"} 1.0")) {
      Thread.onSpinWait();
    }
    here.release("replicas/b", token);
    assertThat(later.join().outcome()).isEqualTo("granted");
    assertThat(there.get("/metrics").text()).contains("leasehold_serialization_restarts_total");
  }

  @Test
  void whatIsSealedAtOneIsSealedAtTheOther() {
    long old = here.acquire("replicas/d").token();
    here.release("replicas/d", old);
    long young = here.acquire("replicas/d").token();
    String body = "{~key~:~replicas/d~,~token~:";
    assertThat(here.post("/v1/fences/table/seal", body + young + "}").outcome())
        .isEqualTo("admitted");
    Caller.Reply stale = there.post("/v1/fences/table/admit", body + old + "}");
    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.outcome()).isEqualTo("stale");
    assertThat(stale.json().number("current")).isEqualTo(young);
  }

  @Test
  void aRepeatAtTheOtherGetsTheSameAnswer() {
    String body = "{~key~:~replicas/c~,~holder~:~h~,~ttlMs~:30000,~requestId~:~once~,$}";
    long token = here.post("/v1/leases/acquire", body).token();
    String same = here.filled(body);
    assertThat(there.post("/v1/leases/acquire", same).token()).isEqualTo(token);
  }
}
