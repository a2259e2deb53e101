package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.verification.engines.Journal;
import dev.leasehold.verification.engines.PostgresNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of PostgreSQL, all its processes at once, while workers use it; then it is started again.
 * Acknowledged commands survive (I7), repeated ones act once (I8), and the rest of the history is
 * in order.
 */
class KilledServerTest {
  private static final int KILLS = Boolean.getBoolean("leasehold.proof") ? 20 : 2;
  private static final int WORKERS = 3;

  @TempDir Path folder;

  @Test
  void whatWasAcknowledgedSurvives() {
    try (PostgresNode node = start()) {
      for (String setting : List.of("fsync", "synchronous_commit")) {
        assertThat(node.database().query(row -> row.getString(1), "SHOW " + setting))
            .containsExactly("on");
      }
      CheckResult verdict = killAndRestart(node, KILLS, () -> {}, "held");
      verdict.requireClean();
      verdict.tally().requireAtLeast(Count.GRANTS, 10L * KILLS);
      verdict.tally().requireAtLeast(Count.RETRIES, 1);
      // Whether a command is in flight at a kill is chance, but among many kills some must be.
      verdict.tally().requireAtLeast(Count.UNKNOWNS, KILLS / 5);
    }
  }

  /**
   * The control: a server that acknowledges before it has written is found out. The workers find
   * out too, and may refuse to use it after the first time.
   */
  @Test
  void aServerThatAcknowledgesTooEarlyIsFoundOut() {
    try (PostgresNode node = start()) {
      node.shutDown();
      // So that acknowledged writes are still only in memory when the server is killed.
      node.set("wal_writer_delay", "10s");
      node.start();
      CheckResult verdict = killAndRestart(node, 1, () -> hurry(node), "held", "unavailable");
      assertThat(verdict.broken()).contains(Invariant.I7);
    }
  }

  /**
   * Makes every commit asynchronous. A single synchronous one, for a hint or a purge, would write
   * all earlier ones to disk. It is set late, because workers would refuse to start on such a
   * server.
   */
  private static void hurry(PostgresNode node) {
    node.database().execute("ALTER SYSTEM SET synchronous_commit = off");
    node.database().execute("SELECT pg_reload_conf()");
    while (!node.database()
        .query(row -> row.getString(1), "SHOW synchronous_commit")
        .equals(List.of("off"))) {
      Thread.onSpinWait();
    }
  }

  private PostgresNode start() {
    PostgresNode node = PostgresNode.start(folder.resolve("postgres"));
    new Journal(node.database()).install();
    return node;
  }

  private CheckResult killAndRestart(
      PostgresNode node, int kills, Runnable sabotage, String... afterwards) {
    Seed seed = Seed.forTest("killed server");
    SplittableRandom random = seed.random();
    List<Fault> faults = new ArrayList<>();
    try (WorkerFleet fleet = new WorkerFleet()) {
      for (int i = 0; i < WORKERS; i++) {
        String name = "worker-" + i;
        Path history = folder.resolve(name + ".history");
        long mine = seed.nth(i).value();
        fleet.start(new Worker.Order(name, node.url(), history, mine, 6, 1_000, Defect.NONE));
      }
      fleet.begin();
      fleet.awaitMore(1, "held");
      sabotage.run();
      for (int kill = 0; kill < kills; kill++) {
        fleet.awaitMore(10 + random.nextInt(10), "held");
        node.kill();
        fleet.awaitMore(1, "unavailable", "target-away");
        node.start();
        faults.add(new Fault.StoreRestarted(MachineTicker.INSTANCE.nanos()));
        fleet.awaitMore(WORKERS, afterwards);
      }
      fleet.finish();
      List<Event> told = fleet.events();
      return Judgement.judge(node.database(), told, faults);
    }
  }
}
