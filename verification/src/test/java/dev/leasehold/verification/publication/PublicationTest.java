package dev.leasehold.verification.publication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/** I4, I6 and I9 on real memory: runs every race, and checks its results. */
@Isolated // a race needs two processors, or its canary is caught late
class PublicationTest {
  private static final List<TestResult> RESULTS = new ArrayList<>();

  /**
   * A race has run long enough if its canary was caught in the same time. On a busy machine, both
   * get more time.
   */
  @BeforeAll
  static void runAll() throws Exception {
    List<String> left = List.copyOf(TestList.tests());
    for (int millis : Jcstress.EFFORTS_MILLIS) {
      if (!left.isEmpty()) {
        RESULTS.addAll(Jcstress.run(left, millis));
        List<String> uncaught =
            canaries().filter(canary -> !isCaught(canary)).map(PublicationTest::property).toList();
        left = TestList.tests().stream().filter(race -> uncaught.contains(property(race))).toList();
      }
    }
  }

  static Stream<String> races() {
    return TestList.tests().stream().filter(race -> !isCanary(race));
  }

  static Stream<String> canaries() {
    return TestList.tests().stream().filter(PublicationTest::isCanary);
  }

  private static boolean isCanary(String race) {
    return race.contains(".Canary");
  }

  /** The forbidden results; a canary has those of its race. */
  private static String property(String race) {
    return TestList.getInfo(race).unmatched().description();
  }

  private static List<TestResult> resultsOf(String race) {
    return RESULTS.stream().filter(result -> result.getName().equals(race)).toList();
  }

  private static boolean isCaught(String canary) {
    return resultsOf(canary).stream()
        .flatMap(result -> result.grading().gradingResults.values().stream())
        .anyMatch(grade -> grade.expect == Expect.FORBIDDEN && grade.count > 0);
  }

  @Test
  void everyPropertyHasACanary() {
    assertThat(races().map(PublicationTest::property))
        .isNotEmpty()
        .isSubsetOf(canaries().map(PublicationTest::property).toList());
  }

  @ParameterizedTest
  @MethodSource({"races", "canaries"})
  void itRan(String race) {
    assertThat(resultsOf(race))
        .as("runs, which need two processors")
        .isNotEmpty()
        .allSatisfy(
            result -> {
              assertThat(result.status()).as("%s", result.getMessages()).isEqualTo(Status.NORMAL);
              assertThat(result.getTotalCount()).isPositive();
            });
  }

  @ParameterizedTest
  @MethodSource("races")
  void nothingForbiddenComesOfIt(String race) {
    assertThat(resultsOf(race))
        .flatExtracting(result -> result.grading().failureMessages)
        .isEmpty();
  }

  /**
   * On a processor that other programs use too, two threads seldom run at once, and no effort makes
   * sure that a canary is caught. So a build skips one that was not, and the proof fails.
   */
  @ParameterizedTest
  @MethodSource("canaries")
  void canaryIsCaught(String canary) {
    if (!Boolean.getBoolean("leasehold.proof")) {
      assumeThat(isCaught(canary)).as("caught beside other programs").isTrue();
    }
    assertThat(isCaught(canary)).isTrue();
  }
}
