package dev.leasehold.testkit.defects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.contract.LeaseDifferential;
import dev.leasehold.testkit.model.ModelLeaseStore;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.testkit.suite.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A suite that catches nothing proves nothing: each planted defect must fail at least one of its
 * tests, and the differential by itself must find what is in its reach. The seed is fixed, so that
 * the table says the same on every machine.
 */
class PlantedDefectsTest {
  private static final String HINT_SECONDS = "leasehold.contract.hintSeconds";
  private static final Seed SEED = new Seed(2_026);
  private static final int SEEDS = 200;
  private static final int STEPS = 300;
  private static final Map<String, String> ROWS = new ConcurrentHashMap<>();

  // Kept in a field, since the JDK's logging drops loggers without a reference.
  private static final Logger STORE_LOG = Logger.getLogger(ModelLeaseStore.class.getName());

  /**
   * Failing listeners are many. Stores that tell nothing are waited for once per test, and not for
   * as long as sound ones.
   */
  @BeforeAll
  static void silenceTheStoreAndWaitBriefly() {
    STORE_LOG.setLevel(Level.OFF);
    System.setProperty(HINT_SECONDS, "1");
  }

  static Stream<Defect> defects() {
    return Defects.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("allowances")
  void what_the_protocol_leaves_open_is_not_taken_for_a_defect(Defect allowance) {
    for (int i = 0; i < SEEDS / 10; i++) {
      assertThat(LeaseDifferential.firstDifference(allowance::open, SEED.nth(i), STEPS)).isEmpty();
    }
  }

  static Stream<Defect> allowances() {
    return Defects.allowed();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("defects")
  @Execution(ExecutionMode.CONCURRENT)
  void every_defect_is_caught(Defect defect) {
    SuiteRun suite = SuiteRun.on(defect);
    int seeds = defect.reach() == Defect.Reach.SUITE_ALONE ? SEEDS / 20 : SEEDS;
    Optional<Difference> difference = Optional.empty();
    int tried = 0;
    while (difference.isEmpty() && tried < seeds) {
      difference = LeaseDifferential.firstDifference(defect::open, SEED.nth(tried), STEPS);
      tried++;
    }
    String seen = difference.isPresent() ? Integer.toString(tried) : "out of its reach";
    String steps = difference.map(d -> Integer.toString(d.steps())).orElse("");
    int failed = suite.failed().size();
    ROWS.put(
        defect.name(), String.format("| %s | %d | %s | %s |", defect.name(), failed, seen, steps));
    assertThat(suite.failed()).as("tests of the suite that see it").isNotEmpty();
    assertThat(difference.isPresent())
        .as("whether the differential sees it: %s", difference)
        .isEqualTo(defect.reach() == Defect.Reach.SUITE_AND_DIFFERENTIAL);
  }

  @AfterAll
  static void tellWhatCaughtThem() throws IOException {
    STORE_LOG.setLevel(null);
    System.clearProperty(HINT_SECONDS);
    List<String> lines = new ArrayList<>();
    lines.add("| defect | failing tests | first seed that caught it | steps after shrinking |");
    lines.add("|---|---|---|---|");
    defects().map(defect -> ROWS.get(defect.name())).filter(Objects::nonNull).forEach(lines::add);
    lines.forEach(System.out::println);
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target", "planted-defects.md"), lines);
  }
}
