package dev.leasehold.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Defects that were found on a real database are planted into the simulated one, and seeds find
 * them there. The seed that was the first to find one is tried first, and all others where it no
 * longer does, since a change of the code changes what happens to a seed.
 */
class PlantsTest {
  private static final System.Logger LOG = System.getLogger(PlantsTest.class.getName());
  private static final int MOST_SEEDS = 500;

  @ParameterizedTest
  @CsvSource({
    "CONTENDERS_LOCK_AND_RENEWALS_SKIP, I12, 236",
    "LOCKED_ROWS_KEEP_CONNECTIONS, strangers, 27",
    "FLOOR_RAISED_UNDER_A_WEAK_LOCK, I2, 1",
    "CHECK_WITHOUT_LOCK, I5, 1",
    "ROLLBACK_FORGOTTEN, witness, 52",
  })
  void some_seed_finds_what_was_planted_and_names_it(Plant plant, String finding, long known) {
    SimulationReport caught =
        LongStream.concat(LongStream.of(known), LongStream.rangeClosed(1, MOST_SEEDS))
            .mapToObj(seed -> Simulation.run(seed, plant))
            .filter(report -> isNamed(report, finding))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no seed finds " + plant));
    LOG.log(Level.INFO, "| {0} | {1} | {2} |", plant, caught.seed(), caught.findings().getFirst());
    assertThat(Simulation.run(caught.seed()).findings()).as("the same seed without it").isEmpty();
  }

  private static boolean isNamed(SimulationReport report, String finding) {
    return report.findings().stream().anyMatch(sentence -> sentence.startsWith(finding + ":"));
  }
}
