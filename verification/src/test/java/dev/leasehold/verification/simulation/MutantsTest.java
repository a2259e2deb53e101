package dev.leasehold.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.random.Seed;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shows that the simulator finds defects: each planted one must be caught. */
class MutantsTest {
  private static final System.Logger LOG = System.getLogger(MutantsTest.class.getName());
  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");
  private static final int MOST_SEEDS = 500;
  private static final int MUTANTS_OF_A_BUILD = 5;

  /** More than any representative needs. */
  private static final int SEEDS_OF_CONTROL = PROOF ? MOST_SEEDS : 30;

  /** One for each thing that a mutant can break; every build draws some of them. */
  private static final List<Mutant> REPRESENTATIVES =
      List.of(
          Mutant.DEADLINE_COUNTED_FROM_THE_REPLY,
          Mutant.ANSWER_SAYS_THAT_IT_WAS_SENT_NOW,
          Mutant.SLEEP_NOT_COUNTED,
          Mutant.NEW_REQUEST_ID_FOR_EACH_ATTEMPT,
          Mutant.LOSS_SWALLOWED,
          Mutant.PROGRESS_NOT_SENT,
          Mutant.HINT_FORGOTTEN_WHILE_ASKING,
          Mutant.RENEWALS_SHARE_THE_LANE,
          Mutant.RELEASED_BEFORE_THE_WORK_STOPPED,
          Mutant.NO_SEAL_BEFORE_READING,
          Mutant.GIVEN_UP_INHERITANCE_KEPT,
          Mutant.HEIR_WINS_WHILE_ALL_SHUTS_DOWN,
          Mutant.WITNESS_IGNORES_UNKNOWN,
          Mutant.WATCH_IS_NEVER_ENDED,
          Mutant.EXPECTATION_DROPPED,
          Mutant.KEPT_AND_GIVEN_BACK_AT_ONCE);

  @TempDir Path folder;

  /** The number of seeds until a mutant was caught, and the finding; 0 if none caught it. */
  private record Catch(Mutant mutant, int seeds, String finding) {
    String row() {
      String invariant = finding.substring(0, Math.max(0, finding.indexOf(':')));
      String name = mutant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      return "| " + name + " | " + seeds + " | " + invariant + " |";
    }
  }

  /** A file that was changed or renamed since would be noticed by the next proof only. */
  @ParameterizedTest
  @EnumSource
  void an_edit_still_fits_its_file(Mutant mutant) throws IOException {
    assertThat(MutatedCopy.edited(mutant.edits())).isNotEmpty();
  }

  @Test
  void some_planted_defects_are_caught_in_every_build() {
    requireThatAllAreCaught(Seed.forTest("MutantsTest").some(MUTANTS_OF_A_BUILD, REPRESENTATIVES));
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void every_planted_defect_is_caught() {
    requireThatAllAreCaught(List.of(Mutant.values()));
  }

  private void requireThatAllAreCaught(List<Mutant> mutants) {
    List<Catch> catches = mutants.stream().parallel().map(this::hunt).collect(Collectors.toList());
    String table = catches.stream().map(Catch::row).collect(Collectors.joining("\n"));
    LOG.log(Level.INFO, "{0} mutants\n{1}", catches.size(), table);
    assertThat(catches).filteredOn(found -> found.seeds() == 0).extracting(Catch::mutant).isEmpty();
  }

  private Catch hunt(Mutant mutant) {
    try {
      Path own = Files.createDirectories(folder.resolve(mutant.name()));
      MutatedCopy copy = MutatedCopy.of(mutant.edits(), own);
      for (int seed = 1; seed <= MOST_SEEDS; seed++) {
        SimulationReport report = copy.run(seed);
        if (!report.isClean()) {
          return new Catch(mutant, seed, report.findings().getFirst());
        }
      }
      return new Catch(mutant, 0, "");
    } catch (Exception e) {
      throw new IllegalStateException(mutant + " could not be tried", e);
    }
  }

  @Test
  void a_seed_that_fails_says_what_broke_and_tells_the_story() throws Exception {
    SimulationReport report = MutatedCopy.of(Mutant.LOSS_SWALLOWED.edits(), folder).run(1);
    String failure = report.failure("mvn -Dleasehold.sim.seed=1");
    assertThat(failure)
        .startsWith("seed 1 broke I9: ")
        .contains("\nrun it again: mvn -Dleasehold.sim.seed=1\n");
    assertThat(report.trace().lines())
        .allMatch(line -> line.matches(" *[0-9]+\\.[0-9]{6} s  [a-z0-9-]+ +.+"))
        .anyMatch(line -> line.contains("FAULT"))
        .anyMatch(line -> line.contains("judge     BROKEN I9"));
  }

  @Test
  void a_copy_without_edits_survives() throws Exception {
    MutatedCopy copy = MutatedCopy.of(List.of(), folder);
    for (int seed = 1; seed <= SEEDS_OF_CONTROL; seed++) {
      assertThat(copy.run(seed).findings()).as("seed %d", seed).isEmpty();
    }
  }
}
