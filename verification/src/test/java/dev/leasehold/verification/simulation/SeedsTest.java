package dev.leasehold.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** I1 to I12 through thousands of runs in which nearly everything goes wrong. */
class SeedsTest {
  private static final System.Logger LOG = System.getLogger(SeedsTest.class.getName());
  private static final Logger ENGINES = Logger.getLogger("dev.leasehold.kernel.engine");
  private static final String AGAIN =
      "mvn -pl verification -am test -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dleasehold.sim.seed=";
  private static final int SEEDS =
      Integer.getInteger(
          "leasehold.sim.seeds", Boolean.getBoolean("leasehold.proof") ? 20_000 : 200);
  private static final long SEEDS_FOR_ALL_KINDS = 100;
  private static final long FEWEST_COMMANDS = 200;
  private static final int FEWEST_KINDS = 3;
  private static final int FEWEST_PROCESSES = 5;

  /** All seeds from 1 on, or the one to repeat. */
  private static LongStream seeds() {
    Long only = Long.getLong("leasehold.sim.seed");
    return only == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(only);
  }

  /**
   * Silences the engines' warnings about faulty stores, which would be thousands here; traces have
   * them.
   */
  @BeforeAll
  static void silenceTheEngines() {
    ENGINES.setLevel(java.util.logging.Level.OFF);
  }

  @AfterAll
  static void letThemSpeakAgain() {
    ENGINES.setLevel(null);
  }

  @Test
  void no_seed_breaks_an_invariant_and_every_kind_of_fault_happens() {
    Figures figures = new Figures();
    Figures ofTheFirst = new Figures();
    seeds()
        .parallel()
        .mapToObj(SeedsTest::run)
        .forEach(
            report -> {
              figures.add(report);
              if (report.seed() <= SEEDS_FOR_ALL_KINDS) {
                ofTheFirst.add(report);
              }
            });
    LOG.log(Level.INFO, figures.toString());
    if (Long.getLong("leasehold.sim.seed") == null) {
      assertThat(FaultKind.values()).hasSizeGreaterThan(20);
      ofTheFirst.requireAllKinds();
      assertThat(figures.takeovers()).as("takeovers").isPositive();
      assertThat(figures.unknowns()).as("unknown outcomes").isPositive();
      assertThat(figures.refusals()).as("stale writes that fences refused").isPositive();
      assertThat(figures.corruptions()).as("stale writes that landed without a fence").isPositive();
    }
  }

  private static SimulationReport run(long seed) {
    SimulationReport report = Simulation.run(seed);
    if (!report.isClean()) {
      throw new AssertionError(report.failure(AGAIN + seed));
    }
    assertThat(report.commands())
        .as("commands of seed %d", seed)
        .isGreaterThanOrEqualTo(FEWEST_COMMANDS);
    assertThat(report.faults())
        .as("faults of seed %d", seed)
        .hasSizeGreaterThanOrEqualTo(FEWEST_KINDS);
    assertThat(report.processes())
        .as("processes of seed %d", seed)
        .isGreaterThanOrEqualTo(FEWEST_PROCESSES);
    return report;
  }

  @Test
  void a_seed_gives_the_same_trace_again_to_the_byte() {
    for (long seed : List.of(7L, 1_163L, -1L)) {
      String first = Simulation.trace(seed).trace();
      assertThat(first).contains("p0-1").contains("FAULT");
      assertThat(Simulation.trace(seed).trace()).isEqualTo(first);
    }
  }

  @Test
  void a_trace_changes_nothing_in_what_it_tells_of() {
    SimulationReport silent = Simulation.run(11);
    SimulationReport traced = Simulation.trace(11);
    assertThat(traced.commands()).isEqualTo(silent.commands());
    assertThat(traced.faults()).isEqualTo(silent.faults());
    assertThat(traced.simulatedNanos()).isEqualTo(silent.simulatedNanos());
  }
}
