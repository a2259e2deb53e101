package dev.leasehold.kernel.model;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The states of a grant, a closure, a bar and a stall limit at a given time. */
class GrantTest {
  private static final Grant OPEN =
      new Grant(
          Token.of(1, 1),
          ANNA.id(),
          new RequestId("r1"),
          ANNA.terms(1_000),
          5_000,
          5_000,
          6_000,
          Progress.startingAt(5_000),
          Standing.OPEN);

  @Test
  void anOpenGrantIsUnexpiredUntilItsMillisecond() {
    assertThat(OPEN.isUnexpired(5_999)).isTrue();
    assertThat(OPEN.remainingMillis(5_999)).isEqualTo(1);
    assertThat(OPEN.isUnexpired(6_000)).isFalse();
    assertThat(OPEN.remainingMillis(6_000)).isZero();
    assertThat(OPEN.isCurrent()).isTrue();
  }

  @Test
  void aLapsedGrantIsCurrentAndHasNothingRemaining() {
    Grant lapsed = OPEN.withStanding(Standing.LAPSED);

    assertThat(lapsed.isCurrent()).isTrue();
    assertThat(lapsed.isUnexpired(5_000)).isFalse();
    assertThat(lapsed.remainingMillis(5_000)).isZero();
  }

  @Test
  void anEndedGrantIsNothing() {
    Grant ended = OPEN.withStanding(new Standing.Ended(new LossReason.Released(), 5_500));

    assertThat(ended.isCurrent()).isFalse();
    assertThat(ended.isUnexpired(5_000)).isFalse();
    assertThat(ended.remainingMillis(5_000)).isZero();
  }

  @Test
  void aTimedClosureIsInForceUntilItsMillisecond() {
    Closure closure = new Closure("x", OptionalLong.of(6_000));

    assertThat(closure.isInForce(5_999)).isTrue();
    assertThat(closure.remainingMillis(5_999)).hasValue(1);
    assertThat(closure.isInForce(6_000)).isFalse();
    assertThat(closure.remainingMillis(6_001)).hasValue(0);
  }

  @Test
  void aClosureWithoutATimeIsAlwaysInForce() {
    Closure closure = new Closure("x", OptionalLong.empty());

    assertThat(closure.isInForce(Long.MAX_VALUE)).isTrue();
    assertThat(closure.remainingMillis(0)).isEmpty();
  }

  @Test
  void aBarStopsOneInstanceUntilItsMillisecond() {
    Bar bar = new Bar(ANNA.id(), "x", 6_000);

    assertThat(bar.stops(ANNA.id(), 5_999)).isTrue();
    assertThat(bar.stops(ANNA.id(), 6_000)).isFalse();
    assertThat(bar.stops(BEN.id(), 5_999)).isFalse();
  }

  @Test
  void aStallLimitIsReachedAtItsMillisecondAndNoneNever() {
    StallLimit limit = new StallLimit(100);

    assertThat(limit.isReached(5_000, 5_099)).isFalse();
    assertThat(limit.isReached(5_000, 5_100)).isTrue();
    assertThat(StallLimit.NONE.isReached(0, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void aMarkMovesOnlyUpwards() {
    Progress progress = new Progress(3, 5_000);

    assertThat(progress.movedTo(4, 5_100)).isEqualTo(new Progress(4, 5_100));
    assertThat(progress.movedTo(3, 5_100)).isSameAs(progress);
    assertThat(progress.movedTo(2, 5_100)).isSameAs(progress);
  }
}
