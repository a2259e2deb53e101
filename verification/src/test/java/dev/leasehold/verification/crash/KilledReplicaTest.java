package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.verification.engines.Journal;
import dev.leasehold.verification.engines.PostgresNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers on one PostgreSQL, and workers that know all of them. The servers are killed by
 * kill -9 under load, one after the other, and started again: no acknowledged grant is lost (I7),
 * none is given twice (I1, I2), a command that is repeated to another server acts once (I8), and
 * workers go on.
 */
class KilledReplicaTest {
  private static final int KILLS = Boolean.getBoolean("leasehold.proof") ? 20 : 3;
  private static final int REPLICAS = 3;
  private static final int WORKERS = 3;

  @TempDir Path folder;

  @Test
  void whatOneServerHasGrantedTheOthersKeep() {
    CheckResult verdict = killReplicas(KILLS, Defect.NONE, "held");
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, 20L * KILLS);
  }

  /**
   * The control: clients that repeat a command under a new id although a dead server may have
   * carried it out, or still may. Then the store shows a change that no client requested, or a
   * client was told of a change that the store did not make. Clients notice it too, and stop using
   * such grants.
   */
  @Test
  void clientsThatForgetTheirRequestIdsAreFoundOut() {
    CheckResult verdict = killReplicas(1, Defect.IDS_MADE_ANEW, "unavailable");
    assertThat(verdict.broken()).containsAnyOf(Invariant.I7, Invariant.I8);
  }

  private CheckResult killReplicas(int kills, Defect defect, String afterwards) {
    Seed seed = Seed.forTest("killed replica");
    SplittableRandom random = seed.random();
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"));
        WorkerFleet serving = new WorkerFleet();
        WorkerFleet working = new WorkerFleet()) {
      new Journal(node.database()).install();
      List<WorkerFleet.Member> replicas = new ArrayList<>();
      List<URI> addresses = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        replicas.add(replica(serving, node, 0));
        addresses.add(address(replicas.getLast()));
      }
      for (int i = 0; i < WORKERS; i++) {
        String name = "worker-" + i;
        Path history = folder.resolve(name + ".history");
        long mine = seed.nth(i).value();
        working.start(
            new Worker.Order(name, node.url(), history, mine, 6, 1_000, defect).through(addresses));
      }
      working.begin();
      for (int kill = 0; kill < kills; kill++) {
        working.awaitMore(10 + random.nextInt(10), "held");
        // All workers start with the first server, and move on to the next, which is killed next.
        int victim = kill % REPLICAS;
        replicas.get(victim).kill();
        working.awaitMore(10, afterwards);
        replicas.set(victim, replica(serving, node, addresses.get(victim).getPort()));
      }
      working.finish();
      for (URI address : addresses.subList(0, Math.min(kills, REPLICAS))) {
        assertThat(working.count("moved on from " + address)).as("by %s", address).isPositive();
      }
      return Judgement.judge(node.database(), working.events(), List.of());
    }
  }

  private static WorkerFleet.Member replica(WorkerFleet fleet, PostgresNode node, int port) {
    List<String> arguments = List.of(node.url(), Integer.toString(port));
    WorkerFleet.Member replica = fleet.start(Replica.class, "replica", null, arguments);
    replica.await("serving ", 1);
    return replica;
  }

  private static URI address(WorkerFleet.Member replica) {
    return URI.create(replica.last("serving ").substring("serving ".length()));
  }
}
