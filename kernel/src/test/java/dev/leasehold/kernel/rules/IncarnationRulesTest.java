package dev.leasehold.kernel.rules;

import static dev.leasehold.fence.Token.MAX_INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.rules.IncarnationRules.Advancing;
import dev.leasehold.kernel.spi.Advance;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How a store gets tokens that outrank all it ever issued. */
class IncarnationRulesTest {
  /** START is 424 days after 2025-01-01. */
  private static final int TODAY = 424;

  private static final StoreIncarnation STORE_INCARNATION = new StoreIncarnation(500, 0);

  private static Advancing advance(StoreIncarnation storeIncarnation, Advance request) {
    return IncarnationRules.advance(storeIncarnation, request, START, 0);
  }

  private static Advance witnessed(int witness) {
    return new Advance(OptionalInt.empty(), OptionalInt.of(witness), OptionalLong.empty());
  }

  private static Advance holdingOff(long millis) {
    return new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(millis));
  }

  private static int incarnation(Advancing advancing) {
    assertThat(advancing.outcome())
        .isInstanceOfSatisfying(
            Advance.Advanced.class,
            advanced ->
                assertThat(advanced.incarnation())
                    .isEqualTo(advancing.storeIncarnation().incarnation()));
    return advancing.storeIncarnation().incarnation();
  }

  @Test
  void oneAboveTheStoredWhereThatIsTheGreatest() {
    assertThat(incarnation(advance(STORE_INCARNATION, Advance.above(0)))).isEqualTo(501);
  }

  @Test
  void oneAboveWhatTheOperatorFoundWhereThatIsTheGreatest() {
    assertThat(incarnation(advance(STORE_INCARNATION, Advance.above(600)))).isEqualTo(601);
  }

  @Test
  void oneAboveTheWitnessWhereThatIsTheGreatest() {
    assertThat(incarnation(advance(STORE_INCARNATION, witnessed(700)))).isEqualTo(701);
  }

  @Test
  void theDayWhereThatIsTheGreatest() {
    assertThat(incarnation(advance(new StoreIncarnation(3, 0), Advance.above(0)))).isEqualTo(TODAY);
  }

  @Test
  void oneStepWhereNothingAsksForMore() {
    long firstDay = Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();
    StoreIncarnation lowest = new StoreIncarnation(0, 0);

    assertThat(incarnation(IncarnationRules.advance(lowest, Advance.above(0), firstDay, 0)))
        .isEqualTo(1);
    assertThat(incarnation(IncarnationRules.advance(lowest, witnessed(0), firstDay, 0)))
        .isEqualTo(1);
  }

  @Test
  void aWitnessAndAnOperatorTogetherGiveTheGreaterOfBoth() {
    Advance both = new Advance(OptionalInt.of(610), OptionalInt.of(620), OptionalLong.empty());

    assertThat(incarnation(advance(STORE_INCARNATION, both))).isEqualTo(621);
  }

  @Test
  void withoutAWitnessAndWithoutANumberItIsRefusedAndSaysWhatToDo() {
    Advance blind = new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());

    assertThat(advance(STORE_INCARNATION, blind))
        .isEqualTo(
            new Advancing(
                new Advance.Refused(
                    "no witness tells how far this store had come: advance it with a witness folder"
                        + " from before (--store URL --data DIR), or find the highest incarnation"
                        + " in any log, metric or target's mark, and advance above it (--above N)"),
                STORE_INCARNATION));
  }

  @Test
  void theLastIncarnationCanBeReached() {
    assertThat(incarnation(advance(STORE_INCARNATION, Advance.above(MAX_INCARNATION - 1))))
        .isEqualTo(MAX_INCARNATION);
  }

  @Test
  void whatDoesNotFitIsRefusedAndChangesNothing() {
    assertThat(advance(STORE_INCARNATION, Advance.above(MAX_INCARNATION)))
        .isEqualTo(
            new Advancing(
                new Advance.Refused("incarnation 8192 does not fit: the highest is 8191"),
                STORE_INCARNATION));
  }

  @Test
  void nothingIsGrantedForAtLeastHalfAMinute() {
    assertThat(IncarnationRules.advance(STORE_INCARNATION, Advance.above(0), START, 29_999))
        .isEqualTo(
            new Advancing(
                new Advance.Advanced(501, 30_000), new StoreIncarnation(501, START + 30_000)));
  }

  @Test
  void theHoldOffIsTheGreatestRemainingTimeWhereThatIsLonger() {
    assertThat(IncarnationRules.advance(STORE_INCARNATION, Advance.above(0), START, 30_001))
        .isEqualTo(
            new Advancing(
                new Advance.Advanced(501, 30_001), new StoreIncarnation(501, START + 30_001)));
  }

  @Test
  void theHoldOffIsTheLongestTtlThatAWitnessSawWhereThatIsLonger() {
    Advance seen =
        new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.empty(), 40_000);
    assertThat(IncarnationRules.advance(STORE_INCARNATION, seen, START, 30_001))
        .isEqualTo(
            new Advancing(
                new Advance.Advanced(501, 40_000), new StoreIncarnation(501, START + 40_000)));
  }

  @Test
  void anEndlessClosureHoldsNothingOff() {
    LeaseRecord closed =
        LeaseRecord.blank(new LeaseKey("lock/a"), Token.of(500, 1))
            .withClosure(Optional.of(new Closure("until reopened", OptionalLong.empty())));
    assertThat(IncarnationRules.remainingMillis(closed, START)).isZero();
  }

  @Test
  void aHoldOffThatIsAskedForIsTaken() {
    assertThat(IncarnationRules.advance(STORE_INCARNATION, holdingOff(7), START, 60_000))
        .isEqualTo(
            new Advancing(new Advance.Advanced(501, 7), new StoreIncarnation(501, START + 7)));
  }

  @Test
  void aSecondAdvanceGoesHigherAndNeverCutsTheHoldOffShort() {
    StoreIncarnation held = advance(STORE_INCARNATION, holdingOff(60_000)).storeIncarnation();

    assertThat(IncarnationRules.advance(held, holdingOff(0), START + 1_000, 0))
        .isEqualTo(
            new Advancing(
                new Advance.Advanced(502, 59_000), new StoreIncarnation(502, START + 60_000)));
  }

  @Test
  void aSecondAdvanceCanMakeTheHoldOffLonger() {
    StoreIncarnation held = advance(STORE_INCARNATION, holdingOff(1_000)).storeIncarnation();

    assertThat(advance(held, holdingOff(5_000)).storeIncarnation())
        .isEqualTo(new StoreIncarnation(502, START + 5_000));
  }

  @Test
  void aNewStoreStartsWithTheDay() {
    assertThat(StoreIncarnation.first(START)).isEqualTo(new StoreIncarnation(TODAY, 0));
    assertThat(StoreIncarnation.first(START).floor()).isEqualTo(Token.of(TODAY, 0));
  }

  @Test
  void theDayChangesAtMidnightInUtc() {
    long midnight = Instant.parse("2026-03-02T00:00:00Z").toEpochMilli();

    assertThat(StoreIncarnation.first(midnight - 1).incarnation()).isEqualTo(TODAY);
    assertThat(StoreIncarnation.first(midnight).incarnation()).isEqualTo(TODAY + 1);
  }

  @Test
  void aClockBeforeTheFirstDayCountsAsTheFirst() {
    long second = Instant.parse("2025-01-03T00:00:00Z").toEpochMilli();

    assertThat(StoreIncarnation.first(0).incarnation()).isEqualTo(1);
    assertThat(StoreIncarnation.first(second - 1).incarnation()).isEqualTo(1);
    assertThat(StoreIncarnation.first(second).incarnation()).isEqualTo(2);
  }

  @Test
  void aClockFarAheadLeavesRoomToAdvance() {
    long farAhead = START + Duration.ofDays(10_000).toMillis();
    StoreIncarnation first = StoreIncarnation.first(farAhead);

    assertThat(first.incarnation()).isEqualTo(MAX_INCARNATION / 2);
    assertThat(
            IncarnationRules.advance(first, Advance.above(0), farAhead, 0)
                .storeIncarnation()
                .incarnation())
        .isEqualTo(MAX_INCARNATION / 2 + 1);
  }
}
