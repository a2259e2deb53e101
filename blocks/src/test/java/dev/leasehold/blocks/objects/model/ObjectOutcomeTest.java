package dev.leasehold.blocks.objects.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which outcomes still hold when an earlier copy of their write arrives after them. */
class ObjectOutcomeTest {
  private static final Version LOWER = Version.of(1, 1);
  private static final Version EXPECTED = Version.of(1, 2);
  private static final Version ABOVE = Version.of(1, 3);

  private static final List<Expectation> ALL =
      List.of(Expectation.ANYTHING, Expectation.ABSENCE, Expectation.at(EXPECTED));

  private static Stream<Arguments> forEachExpectation(ObjectOutcome outcome, boolean isFinal) {
    return ALL.stream().map(expected -> arguments(outcome, expected, isFinal));
  }

  private static Stream<Arguments> conflicts() {
    return Stream.of(
        arguments(new ObjectOutcome.Conflict(Optional.of(ABOVE)), Expectation.at(EXPECTED), true),
        arguments(new ObjectOutcome.Conflict(Optional.of(LOWER)), Expectation.at(EXPECTED), false),
        arguments(
            new ObjectOutcome.Conflict(Optional.of(EXPECTED)), Expectation.at(EXPECTED), false),
        arguments(new ObjectOutcome.Conflict(Optional.empty()), Expectation.at(EXPECTED), false),
        arguments(new ObjectOutcome.Conflict(Optional.of(ABOVE)), Expectation.ABSENCE, false),
        arguments(new ObjectOutcome.Conflict(Optional.empty()), Expectation.ANYTHING, false));
  }

  static Stream<Arguments> outcomes() {
    return Stream.of(
            conflicts(),
            forEachExpectation(new ObjectOutcome.Created(ABOVE), true),
            forEachExpectation(new ObjectOutcome.Replaced(ABOVE), true),
            forEachExpectation(new ObjectOutcome.Deleted(ABOVE), true),
            forEachExpectation(new ObjectOutcome.Absent(), false),
            forEachExpectation(
                new ObjectOutcome.Refused(new Admission.Unissued(Optional.empty())), false),
            forEachExpectation(new ObjectOutcome.Bound(LeaseKey.of("lock", "a")), false),
            forEachExpectation(new ObjectOutcome.Rejected("no"), false),
            forEachExpectation(new ObjectOutcome.Failed(Certainty.NOT_APPLIED, "busy"), false),
            forEachExpectation(new ObjectOutcome.Failed(Certainty.UNKNOWN, "cut off"), false))
        .flatMap(rows -> rows);
  }

  @ParameterizedTest
  @MethodSource("outcomes")
  void only_a_change_or_a_version_above_the_expected_one_is_final(
      ObjectOutcome outcome, Expectation expected, boolean isFinal) {
    assertThat(outcome.isFinal(expected)).isEqualTo(isFinal);
  }

  @Test
  void the_table_has_every_outcome() {
    assertThat(outcomes().map(row -> row.get()[0].getClass().getSimpleName()))
        .containsOnly(
            Arrays.stream(ObjectOutcome.class.getDeclaredClasses())
                .filter(Class::isRecord)
                .map(Class::getSimpleName)
                .toArray(String[]::new));
  }
}
