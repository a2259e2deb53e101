package dev.leasehold.kernel.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which outcomes still hold when an earlier copy of their command arrives after them. */
class OutcomeTest {
  private static final Token TOKEN = Token.of(1, 1);

  static Stream<Arguments> outcomes() {
    Grant grant =
        new Grant(
            TOKEN,
            Actor.ANNA.instance().id(),
            new RequestId("r"),
            Terms.of("anna", Duration.ofSeconds(10)),
            0,
            0,
            10_000,
            Progress.startingAt(0),
            Standing.OPEN);
    return Stream.of(
        arguments(new Outcome.Granted(grant, 10_000), true),
        arguments(new Outcome.Ended(TOKEN, new LossReason.Released()), true),
        arguments(new Outcome.Abandoned(), true),
        arguments(new Outcome.Renewed(10_000), true),
        arguments(new Outcome.Released(), true),
        arguments(new Outcome.HandedOver(TOKEN), true),
        arguments(new Outcome.Revoked(TOKEN), true),
        arguments(new Outcome.Reopened(), true),
        arguments(new Outcome.Purged(TOKEN), true),
        arguments(new Outcome.Lost(new LossReason.Expired()), true),
        arguments(new Outcome.Held("ben", Actor.BEN.instance().id(), TOKEN, 5_000), false),
        arguments(new Outcome.Closed("by an operator", OptionalLong.empty()), false),
        arguments(new Outcome.Changed(), false),
        arguments(new Outcome.Free(), false),
        arguments(new Outcome.NotClosed(), false),
        arguments(new Outcome.NotStalled(5_000), false),
        arguments(new Outcome.NotExpired(5_000), false),
        arguments(new Outcome.Kept(), false),
        arguments(new Outcome.Rejected("not now"), false),
        arguments(new Outcome.Failed(Certainty.NOT_APPLIED, "busy"), false),
        arguments(new Outcome.Failed(Certainty.UNKNOWN, "cut off"), false));
  }

  @ParameterizedTest
  @MethodSource("outcomes")
  void only_what_is_remembered_or_can_never_be_otherwise_is_final(
      Outcome outcome, boolean isFinal) {
    assertThat(outcome.isFinal()).isEqualTo(isFinal);
  }

  @Test
  void the_table_has_every_outcome() {
    assertThat(outcomes().map(row -> row.get()[0].getClass().getSimpleName()))
        .containsOnly(
            Arrays.stream(Outcome.class.getDeclaredClasses())
                .filter(Class::isRecord)
                .map(Class::getSimpleName)
                .toArray(String[]::new));
  }
}
