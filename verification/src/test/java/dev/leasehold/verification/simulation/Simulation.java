package dev.leasehold.verification.simulation;

import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** One seed, one run. */
public final class Simulation {
  private Simulation() {}

  /** Runs a seed; one that fails is run once more, with a trace of what happened. */
  public static SimulationReport run(long seed) {
    return run(seed, Plant.NONE);
  }

  /** The same with a defect in the store. */
  public static SimulationReport run(long seed, Plant plant) {
    SimulationReport report = run(seed, plant, false);
    return report.isClean() ? report : run(seed, plant, true);
  }

  /** Runs a seed with a trace of all that happens, whether or not it fails. */
  public static SimulationReport trace(long seed) {
    return run(seed, Plant.NONE, true);
  }

  /** Everything that one run recorded: calls, the store's log, what targets did, and faults. */
  public static List<Event> history(long seed) {
    return cluster(new World(new SplittableRandom(seed), Plant.NONE, false)).events();
  }

  private static Cluster cluster(World world) {
    Cluster cluster = new Cluster(world);
    cluster.run();
    return cluster;
  }

  private static SimulationReport run(long seed, Plant plant, boolean tracing) {
    World world = new World(new SplittableRandom(seed), plant, tracing);
    Cluster cluster = cluster(world);
    CheckResult verdict = cluster.store().lostLines().judge(cluster.events());
    List<String> findings = new ArrayList<>(world.findings());
    verdict.violations().forEach(violation -> findings.add(violation.toString()));
    Map<String, Long> faults = new TreeMap<>();
    world.faults().forEach((kind, count) -> faults.put(kind.name(), count));
    Map<String, Long> coverage = new TreeMap<>();
    world.coverage().forEach((point, count) -> coverage.put(point.name(), count));
    return new SimulationReport(
        seed,
        world.plan().processes,
        world.now(),
        cluster.commands(),
        faults,
        verdict.tally().of(Tally.Count.GRANTS),
        verdict.tally().of(Tally.Count.TAKEOVERS),
        verdict.tally().of(Tally.Count.UNKNOWNS),
        cluster.targets().corruptions(),
        cluster.targets().refusals(),
        coverage,
        findings,
        world.traceText());
  }
}
