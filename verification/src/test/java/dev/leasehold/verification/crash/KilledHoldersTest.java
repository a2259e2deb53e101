package dev.leasehold.verification.crash;

import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.verification.engines.Database;
import dev.leasehold.verification.engines.Journal;
import dev.leasehold.verification.engines.PostgresNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of holders at any line, and SIGSTOP past their expiry: others take over, and the history
 * keeps I1 to I5, I7 and I8. On PostgreSQL, and on SQLite with all processes on one file.
 */
class KilledHoldersTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.proof") ? 6 : 1;
  private static final int KEYS = 6;
  private static final long TTL_MILLIS = 1_000;

  /** The fate of a worker. */
  private enum Strike {
    KILLED_HOLDING,
    KILLED_ASKING,
    STOPPED;

    /** Each strike happens twice in a round; the last two of six workers survive. */
    static List<Strike> round(SplittableRandom random) {
      List<Strike> round = new ArrayList<>();
      for (Strike strike : values()) {
        round.add(random.nextInt(round.size() + 1), strike);
        round.add(random.nextInt(round.size() + 1), strike);
      }
      return round;
    }
  }

  @TempDir Path folder;

  @Test
  void onPostgresOthersTakeOverAndTheHistoryIsInOrder() {
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"))) {
      CheckResult verdict = strike(node.database());
      verdict.requireClean();
      requireEnough(verdict);
    }
  }

  @Test
  void onSqliteOthersTakeOverAndTheHistoryIsInOrder() {
    CheckResult verdict = strike(new Database("sqlite:" + folder.resolve("leases.db")));
    verdict.requireClean();
    requireEnough(verdict);
  }

  /**
   * The control: a clean-up of dead workers' locks is found out. A lock must be taken again while
   * its holder is still at work, so workers go on until one was.
   */
  @Test
  @Timeout(600)
  void deletingWhatTheDeadLeftBehindIsFoundOut() {
    Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
    for (int run = 0; !broken.containsAll(List.of(Invariant.I1, Invariant.I2)); run++) {
      broken.addAll(deletingWhatTheDeadLeftBehind("run-" + run).broken());
    }
  }

  private CheckResult deletingWhatTheDeadLeftBehind(String run) {
    Database database = new Database("sqlite:" + folder.resolve(run + ".db"));
    prepare(database);
    try (WorkerFleet fleet = new WorkerFleet()) {
      for (int i = 0; i < 3; i++) {
        fleet.start(order(run + "-worker-" + i, database, i, Defect.LEFTOVERS_DELETED));
      }
      fleet.begin();
      fleet.awaitMore(60, "held", "refused");
      fleet.finish();
      return Judgement.judge(database, fleet.events(), List.of());
    }
  }

  private static void prepare(Database database) {
    new Journal(database).install();
  }

  private Worker.Order order(String name, Database database, long seed, Defect defect) {
    Path history = folder.resolve(name + ".history");
    return new Worker.Order(name, database.url(), history, seed, KEYS, TTL_MILLIS, defect);
  }

  private static void requireEnough(CheckResult verdict) {
    verdict.tally().requireAtLeast(Count.GRANTS, 20L * ROUNDS);
    verdict.tally().requireAtLeast(Count.TAKEOVERS, 2L * ROUNDS);
    verdict.tally().requireAtLeast(Count.REFUSALS, ROUNDS);
    verdict.tally().requireAtLeast(Count.UNKNOWNS, 2L * ROUNDS);
  }

  private CheckResult strike(Database database) {
    Seed seed = Seed.forTest("killed holders");
    SplittableRandom random = seed.random();
    prepare(database);
    List<Event> told = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Strike> strikes = Strike.round(random);
      try (WorkerFleet fleet = new WorkerFleet()) {
        for (int i = 0; i < strikes.size(); i++) {
          String name = "worker-" + round + "-" + i;
          long mine = seed.nth(round * strikes.size() + i).value();
          fleet.start(order(name, database, mine, Defect.NONE));
        }
        fleet.begin();
        for (Strike strike : strikes) {
          strike(strike, fleet, random);
        }
        fleet.finish();
        told.addAll(fleet.events());
      }
    }
    return Judgement.judge(database, told, List.of());
  }

  private static void strike(Strike strike, WorkerFleet fleet, SplittableRandom random) {
    List<WorkerFleet.Member> alive = fleet.alive();
    WorkerFleet.Member victim = alive.get(random.nextInt(alive.size()));
    victim.await("held", victim.count("held") + 1 + random.nextInt(3));
    switch (strike) {
      case KILLED_HOLDING -> {
        victim.tell("hold on");
        victim.await("holding", 1);
        victim.kill();
        fleet.awaitTakeover(victim);
      }
      case KILLED_ASKING -> {
        victim.tell("die asking");
        victim.awaitEnd();
      }
      case STOPPED -> {
        victim.stop();
        // On SQLite the stopped worker may hold the only write lock; then no other makes progress.
        fleet.awaitMore(4, "held", "unavailable");
        victim.resume();
      }
    }
  }
}
