package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.Desk.KEY;
import static dev.leasehold.kernel.engine.Desk.TRUST;
import static dev.leasehold.kernel.engine.Desk.TTL;
import static dev.leasehold.kernel.engine.Desk.held;
import static dev.leasehold.kernel.engine.Desk.token;
import static dev.leasehold.kernel.engine.Desk.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** I11 from the waiter's side; and no attempt leaves a grant without a holder. */
class ContenderTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Desk desk = new Desk();

  private static RequestId requestOf(Command command) {
    return ((Command.Acquire) command).requestId();
  }

  private void grant(ScriptedWire.Sent sent) {
    sent.answer(ScriptedWire.granted(sent.only(), token(1), TTL));
  }

  /**
   * A later attempt that was not applied proves nothing about an earlier one that may still take
   * effect.
   */
  @Test
  void whoLeavesAfterAnUnknownAttemptAbandonsItThoughALaterOneWasNotApplied() {
    Desk.Caller caller = desk.acquire(Duration.ofSeconds(20));
    desk.commands.next().fail();
    desk.world.advanceMillis(2_000);
    desk.commands
        .next()
        .answer(new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "its row is locked"));

    desk.world.event(caller.ticket::cancel);

    assertThat(desk.commands.last().verbs()).containsExactly("Abandon");
  }

  @Test
  void aGrantIsTrustedFromTheSendingOn() {
    Desk.Caller caller = desk.tryAcquire();
    desk.world.advanceMillis(1_500);
    grant(desk.commands.next());

    assertThat(desk.trustMillis(caller)).isEqualTo(TRUST - 1_500);
    assertThat(caller.lease().token()).isEqualTo(token(1));
    assertThat(caller.lease().key()).isEqualTo(KEY);
  }

  @Test
  void whoDoesNotWaitIsToldWhoHasIt() {
    Desk.Caller caller = desk.tryAcquire();
    desk.commands.next().answer(held(12_000));

    assertThat(caller.verdict()).isInstanceOf(Verdict.Held.class);
    assertThat(desk.commands.isQuiet()).as("nothing was granted, nothing is abandoned").isTrue();
  }

  @Test
  void whoWaitsTriesRightAfterWhatRemains() {
    Desk.Caller caller = desk.acquire(MINUTE);
    desk.commands.next().answer(held(12_000));
    desk.world.advanceMillis(11_999);
    assertThat(desk.commands.isQuiet()).isTrue();

    desk.world.advanceMillis(1);
    grant(desk.commands.next());
    assertThat(caller.lease().token()).isEqualTo(token(1));
  }

  @Test
  void theTriesOfManySpreadOverATenthOfASecond() {
    desk.world.dice.alwaysMost();
    Desk.Caller caller = desk.acquire(MINUTE);
    desk.commands.next().answer(held(12_000));
    desk.world.advanceMillis(12_099);
    assertThat(desk.commands.isQuiet()).isTrue();

    desk.world.advanceMillis(1);
    grant(desk.commands.next());
    assertThat(caller.isWaiting()).isFalse();
  }

  @Test
  void aHintWakesWhoWaits() {
    Desk.Caller caller = desk.acquire(MINUTE);
    desk.commands.next().answer(held(12_000));
    assertThat(desk.watched).containsExactly(KEY);

    desk.hint();
    grant(desk.commands.next());

    assertThat(caller.isWaiting()).isFalse();
    assertThat(desk.watched).as("nobody waits any more").isEmpty();
  }

  @Test
  void aHintThatComesBeforeTheAnswerIsNotLost() {
    Desk.Caller caller = desk.acquire(MINUTE);
    ScriptedWire.Sent first = desk.commands.next();
    desk.hint();
    first.answer(held(12_000));

    grant(desk.commands.next());
    assertThat(caller.isWaiting()).isFalse();
  }

  @Test
  void onlyTheFirstOfAProcessAsks() {
    Desk.Caller first = desk.acquire(MINUTE);
    Desk.Caller second = desk.acquire(MINUTE);
    assertThat(desk.commands.next().batch()).hasSize(1);
    assertThat(desk.commands.isQuiet()).isTrue();
    grant(desk.commands.last());

    assertThat(first.isWaiting()).isFalse();
    assertThat(second.isWaiting()).isTrue();
    assertThat(desk.commands.isQuiet()).as("the process knows who has won").isTrue();
    desk.release(first);
    ScriptedWire.Sent both = desk.commands.next();
    assertThat(both.verbs()).containsExactly("Release", "Acquire");
    both.answer(
        new Outcome.Released(), ScriptedWire.granted(both.batch().getLast(), token(2), TTL));
    assertThat(second.lease().token()).isEqualTo(token(2));
  }

  @Test
  void whoWaitsBehindAWinnerAsksWhenItsTimeHasRunOutAndIsToldWhoHasItAtTheEnd() {
    Desk.Caller first = desk.acquire(MINUTE);
    Desk.Caller second = desk.acquire(MINUTE);
    Desk.Caller third = desk.acquire(Duration.ofSeconds(1));
    grant(desk.commands.next());
    desk.world.advanceMillis(1_000);
    assertThat(third.verdict()).isInstanceOf(Verdict.Held.class);

    // Whether or not the grant was renewed, no waiter may rely on a hint alone.
    desk.world.advanceMillis(TTL + 200);
    assertThat(desk.commands.next().verbs()).contains("Acquire");
    assertThat(second.isWaiting()).isTrue();
    assertThat(first.isWaiting()).isFalse();
  }

  @Test
  void whoWaitsBehindAnotherInTheProcessIsToldWhoHasIt() {
    Desk.Caller first = desk.acquire(MINUTE);
    Desk.Caller second = desk.acquire(Duration.ofSeconds(2));
    desk.commands.next().answer(held(12_000));
    desk.world.advanceMillis(2_000);

    assertThat(second.verdict()).isInstanceOf(Verdict.Held.class);
    assertThat(first.isWaiting()).isTrue();
    assertThat(desk.commands.isQuiet()).as("it never asked, so nothing is abandoned").isTrue();
  }

  @Test
  void whatIsGivenUpBeforeTheAnswerIsAbandoned() {
    Desk.Caller caller = desk.acquire(Duration.ofSeconds(2));
    ScriptedWire.Sent acquire = desk.commands.next();
    desk.world.advanceMillis(2_000);
    assertThat(caller.verdict())
        .isEqualTo(new Verdict.Failed("the store did not answer in the time there was"));

    grant(acquire);
    Command.Abandon abandon = (Command.Abandon) desk.commands.next().only();
    assertThat(abandon.requestId()).isEqualTo(requestOf(acquire.only()));
    assertThat(desk.holdings.heldCount()).isZero();
  }

  @Test
  void whatIsGivenUpAfterARefusalIsNotAbandoned() {
    Desk.Caller caller = desk.acquire(Duration.ofSeconds(2));
    desk.commands.next().answer(held(12_000));
    desk.world.advanceMillis(2_000);

    assertThat(caller.verdict()).isInstanceOf(Verdict.Held.class);
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void whatTheStoreHasCertainlyNotAppliedIsNotAbandoned() {
    Desk.Caller caller = desk.acquire(Duration.ofSeconds(2));
    desk.commands.next().answer(new Outcome.Failed(Certainty.NOT_APPLIED, "pool exhausted"));
    caller.ticket.cancel();
    desk.world.advance(MINUTE);

    assertThat(caller.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void theSameRequestIsRepeatedUntilItIsAnswered() {
    Desk.Caller caller = desk.acquire(MINUTE);
    ScriptedWire.Sent first = desk.commands.next();
    first.fail();
    desk.world.advanceMillis(1);
    ScriptedWire.Sent second = desk.commands.next();
    assertThat(second.only()).isEqualTo(first.only());

    second.answer(held(12_000));
    desk.world.advanceMillis(12_000);
    ScriptedWire.Sent third = desk.commands.next();
    assertThat(third.only()).as("the first may still be granted").isEqualTo(first.only());
    third.answer(held(12_000));
    caller.ticket.cancel();
    assertThat(desk.commands.next().verbs()).containsExactly("Abandon");
  }

  @Test
  void aFailedAttemptIsRepeatedAfterABackoff() {
    desk.world.dice.alwaysMost();
    desk.acquire(MINUTE);
    long[] waits = {1_000, 2_000, 4_000, 5_000, 5_000};
    for (long wait : waits) {
      desk.commands.next().fail();
      desk.world.advanceMillis(wait - 1);
      assertThat(desk.commands.isQuiet()).as("before %s ms", wait).isTrue();
      desk.world.advanceMillis(1);
    }
    assertThat(desk.commands.count()).isEqualTo(waits.length + 1);
  }

  @Test
  void aRequestIsRenewedLongBeforeFiveMinutes() {
    desk.acquire(Duration.ofHours(1));
    ScriptedWire.Sent first = desk.commands.next();
    first.fail();
    desk.world.advanceMillis(1);
    desk.commands.next().answer(held(180_000));
    desk.world.advanceMillis(180_000);

    ScriptedWire.Sent next = desk.commands.next();
    assertThat(next.verbs()).as("the old one may be granted").containsExactly("Abandon", "Acquire");
    assertThat(requestOf(next.batch().getLast())).isNotEqualTo(requestOf(first.only()));
  }

  @Test
  void aGrantThatIsHeardOfTooLateIsConfirmedByARenewal() {
    Wanted hasty = wanted(KEY, Duration.ofMillis(3_000), Duration.ofMillis(300));
    Desk.Caller caller = desk.acquire(hasty, MINUTE);
    ScriptedWire.Sent acquire = desk.commands.next();
    desk.world.advanceMillis(2_500);
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 3_000));
    assertThat(caller.isWaiting()).isTrue();

    ScriptedWire.Sent renewal = desk.commands.next();
    assertThat(renewal.verbs()).containsExactly("Renew");
    desk.world.advanceMillis(100);
    renewal.answer(new Outcome.Renewed(3_000));

    assertThat(desk.trustMillis(caller)).isEqualTo(3_000 - 300 - 100);
  }

  @Test
  void aLateGrantThatCannotBeConfirmedIsAskedForAgain() {
    Wanted hasty = wanted(KEY, Duration.ofMillis(3_000), Duration.ofMillis(300));
    Desk.Caller caller = desk.acquire(hasty, MINUTE);
    ScriptedWire.Sent acquire = desk.commands.next();
    desk.world.advanceMillis(3_500);
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 3_000));
    desk.commands.next().answer(new Outcome.Lost(new LossReason.Expired()));
    desk.world.advanceMillis(1);

    ScriptedWire.Sent again = desk.commands.next();
    assertThat(again.only()).isEqualTo(acquire.only());
    again.answer(new Outcome.Ended(token(1), new LossReason.Expired()));
    ScriptedWire.Sent fresh = desk.commands.next();
    assertThat(requestOf(fresh.only())).isNotEqualTo(requestOf(acquire.only()));
    fresh.answer(ScriptedWire.granted(fresh.only(), token(2), 3_000));
    assertThat(caller.lease().token()).isEqualTo(token(2));
  }

  @Test
  void aKeyThatIsClosedForATimeIsAskedForAfterIt() {
    Desk.Caller caller = desk.acquire(MINUTE);
    desk.commands.next().answer(new Outcome.Closed("revoked", OptionalLong.of(7_000)));
    desk.world.advanceMillis(6_999);
    assertThat(desk.commands.isQuiet()).isTrue();

    desk.world.advanceMillis(1);
    grant(desk.commands.next());
    assertThat(caller.isWaiting()).isFalse();
  }

  @Test
  void aKeyThatIsClosedUntilAnOperatorActsIsAskedForNowAndThen() {
    Desk.Caller caller = desk.acquire(Duration.ofSeconds(15));
    desk.commands.next().answer(new Outcome.Closed("broken", OptionalLong.empty()));
    desk.world.advanceMillis(10_000);
    desk.commands.next().answer(new Outcome.Closed("broken", OptionalLong.empty()));
    desk.world.advance(MINUTE);

    assertThat(caller.verdict()).isEqualTo(new Verdict.Closed("broken", OptionalLong.empty()));
  }

  @Test
  void whatTheStoreRejectsIsNotTriedAgain() {
    Desk.Caller caller = desk.acquire(MINUTE);
    desk.commands.next().answer(new Outcome.Rejected("ttl too short"));

    assertThat(caller.verdict()).isEqualTo(new Verdict.Rejected("ttl too short"));
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void whatHasChangedIsNotTriedAgain() {
    Desk.Caller caller = desk.acquire(MINUTE);
    desk.commands.next().answer(new Outcome.Changed());

    assertThat(caller.verdict()).isEqualTo(new Verdict.Changed());
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void theDeadlineOfACallerThatIsDoneIsNotWaitedFor() {
    for (int i = 0; i < 10; i++) {
      Desk.Caller caller = desk.acquire(wanted(LeaseKey.of("lock", "k" + i)), MINUTE);
      desk.commands.next().answer(new Outcome.Changed());
      assertThat(caller.isWaiting()).isFalse();
    }
    desk.world.advanceMillis(6_000);

    assertThat(desk.world.timers()).isZero();
  }

  @Test
  void whoComesBackFromALongPauseDoesNotRepeatAnOldRequest() {
    desk.acquire(Duration.ofDays(1));
    ScriptedWire.Sent first = desk.commands.next();
    first.fail();
    desk.world.pause(Duration.ofMinutes(20));
    desk.world.advanceMillis(1);

    ScriptedWire.Sent next = desk.commands.next();
    assertThat(requestOf(next.batch().getLast())).isNotEqualTo(requestOf(first.only()));
  }
}
