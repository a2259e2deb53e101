package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.KEY;
import static dev.leasehold.kernel.engine.EngineFixture.TRUST;
import static dev.leasehold.kernel.engine.EngineFixture.TTL;
import static dev.leasehold.kernel.engine.EngineFixture.held;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static dev.leasehold.kernel.engine.EngineFixture.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** I11 from the waiter's side; and no attempt leaves a grant without a holder. */
class ContenderTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final EngineFixture fixture = new EngineFixture();

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
    EngineFixture.Caller caller = fixture.acquire(Duration.ofSeconds(20));
    fixture.commands.next().fail();
    fixture.manual.advanceMillis(2_000);
    fixture
        .commands
        .next()
        .answer(new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "its row is locked"));

    fixture.manual.event(caller.ticket::cancel);

    assertThat(fixture.commands.last().verbs()).containsExactly("Abandon");
  }

  @Test
  void aGrantIsTrustedFromTheSendingOn() {
    EngineFixture.Caller caller = fixture.tryAcquire();
    fixture.manual.advanceMillis(1_500);
    grant(fixture.commands.next());

    assertThat(fixture.trustMillis(caller)).isEqualTo(TRUST - 1_500);
    assertThat(caller.lease().token()).isEqualTo(token(1));
    assertThat(caller.lease().key()).isEqualTo(KEY);
  }

  @Test
  void whoDoesNotWaitIsToldWhoHasIt() {
    EngineFixture.Caller caller = fixture.tryAcquire();
    fixture.commands.next().answer(held(12_000));

    assertThat(caller.verdict()).isInstanceOf(Verdict.Held.class);
    assertThat(fixture.commands.isQuiet()).as("nothing was granted, nothing is abandoned").isTrue();
  }

  @Test
  void whoWaitsTriesRightAfterWhatRemains() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    fixture.commands.next().answer(held(12_000));
    fixture.manual.advanceMillis(11_999);
    assertThat(fixture.commands.isQuiet()).isTrue();

    fixture.manual.advanceMillis(1);
    grant(fixture.commands.next());
    assertThat(caller.lease().token()).isEqualTo(token(1));
  }

  @Test
  void theTriesOfManySpreadOverATenthOfASecond() {
    fixture.manual.jitter.alwaysMost();
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    fixture.commands.next().answer(held(12_000));
    fixture.manual.advanceMillis(12_099);
    assertThat(fixture.commands.isQuiet()).isTrue();

    fixture.manual.advanceMillis(1);
    grant(fixture.commands.next());
    assertThat(caller.isWaiting()).isFalse();
  }

  @Test
  void aHintWakesWhoWaits() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    fixture.commands.next().answer(held(12_000));
    assertThat(fixture.watched).containsExactly(KEY);

    fixture.hint();
    grant(fixture.commands.next());

    assertThat(caller.isWaiting()).isFalse();
    assertThat(fixture.watched).as("no contender waits any more").isEmpty();
  }

  @Test
  void aHintThatComesBeforeTheAnswerIsNotLost() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    ScriptedWire.Sent first = fixture.commands.next();
    fixture.hint();
    first.answer(held(12_000));

    grant(fixture.commands.next());
    assertThat(caller.isWaiting()).isFalse();
  }

  @Test
  void onlyTheFirstOfAProcessAsks() {
    EngineFixture.Caller first = fixture.acquire(MINUTE);
    EngineFixture.Caller second = fixture.acquire(MINUTE);
    assertThat(fixture.commands.next().batch()).hasSize(1);
    assertThat(fixture.commands.isQuiet()).isTrue();
    grant(fixture.commands.last());

    assertThat(first.isWaiting()).isFalse();
    assertThat(second.isWaiting()).isTrue();
    assertThat(fixture.commands.isQuiet()).as("the process knows who has won").isTrue();
    fixture.release(first);
    ScriptedWire.Sent both = fixture.commands.next();
    assertThat(both.verbs()).containsExactly("Release", "Acquire");
    both.answer(
        new Outcome.Released(), ScriptedWire.granted(both.batch().getLast(), token(2), TTL));
    assertThat(second.lease().token()).isEqualTo(token(2));
  }

  @Test
  void whoWaitsBehindAWinnerAsksWhenItsTimeHasRunOutAndIsToldWhoHasItAtTheEnd() {
    EngineFixture.Caller first = fixture.acquire(MINUTE);
    EngineFixture.Caller second = fixture.acquire(MINUTE);
    EngineFixture.Caller third = fixture.acquire(Duration.ofSeconds(1));
    grant(fixture.commands.next());
    fixture.manual.advanceMillis(1_000);
    assertThat(third.verdict()).isInstanceOf(Verdict.Held.class);

    // Whether or not the grant was renewed, no waiter may rely on a hint alone.
    fixture.manual.advanceMillis(TTL + 200);
    assertThat(fixture.commands.next().verbs()).contains("Acquire");
    assertThat(second.isWaiting()).isTrue();
    assertThat(first.isWaiting()).isFalse();
  }

  @Test
  void whoWaitsBehindAnotherInTheProcessIsToldWhoHasIt() {
    EngineFixture.Caller first = fixture.acquire(MINUTE);
    EngineFixture.Caller second = fixture.acquire(Duration.ofSeconds(2));
    fixture.commands.next().answer(held(12_000));
    fixture.manual.advanceMillis(2_000);

    assertThat(second.verdict()).isInstanceOf(Verdict.Held.class);
    assertThat(first.isWaiting()).isTrue();
    assertThat(fixture.commands.isQuiet()).as("it never asked, so nothing is abandoned").isTrue();
  }

  @Test
  void whatIsGivenUpBeforeTheAnswerIsAbandoned() {
    EngineFixture.Caller caller = fixture.acquire(Duration.ofSeconds(2));
    ScriptedWire.Sent acquire = fixture.commands.next();
    fixture.manual.advanceMillis(2_000);
    assertThat(caller.verdict())
        .isEqualTo(new Verdict.Failed("the store did not answer in the time there was"));

    grant(acquire);
    Command.Abandon abandon = (Command.Abandon) fixture.commands.next().only();
    assertThat(abandon.requestId()).isEqualTo(requestOf(acquire.only()));
    assertThat(fixture.holdings.heldCount()).isZero();
  }

  @Test
  void whatIsGivenUpAfterARefusalIsNotAbandoned() {
    EngineFixture.Caller caller = fixture.acquire(Duration.ofSeconds(2));
    fixture.commands.next().answer(held(12_000));
    fixture.manual.advanceMillis(2_000);

    assertThat(caller.verdict()).isInstanceOf(Verdict.Held.class);
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void whatTheStoreHasCertainlyNotAppliedIsNotAbandoned() {
    EngineFixture.Caller caller = fixture.acquire(Duration.ofSeconds(2));
    fixture.commands.next().answer(new Outcome.Failed(Certainty.NOT_APPLIED, "pool exhausted"));
    caller.ticket.cancel();
    fixture.manual.advance(MINUTE);

    assertThat(caller.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void theSameRequestIsRepeatedUntilItIsAnswered() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    ScriptedWire.Sent first = fixture.commands.next();
    first.fail();
    fixture.manual.advanceMillis(1);
    ScriptedWire.Sent second = fixture.commands.next();
    assertThat(second.only()).isEqualTo(first.only());

    second.answer(held(12_000));
    fixture.manual.advanceMillis(12_000);
    ScriptedWire.Sent third = fixture.commands.next();
    assertThat(third.only()).as("the first may still be granted").isEqualTo(first.only());
    third.answer(held(12_000));
    caller.ticket.cancel();
    assertThat(fixture.commands.next().verbs()).containsExactly("Abandon");
  }

  @Test
  void aFailedAttemptIsRepeatedAfterABackoff() {
    fixture.manual.jitter.alwaysMost();
    fixture.acquire(MINUTE);
    long[] waits = {1_000, 2_000, 4_000, 5_000, 5_000};
    for (long wait : waits) {
      fixture.commands.next().fail();
      fixture.manual.advanceMillis(wait - 1);
      assertThat(fixture.commands.isQuiet()).as("before %s ms", wait).isTrue();
      fixture.manual.advanceMillis(1);
    }
    assertThat(fixture.commands.count()).isEqualTo(waits.length + 1);
  }

  @Test
  void aRequestIsRenewedLongBeforeFiveMinutes() {
    fixture.acquire(Duration.ofHours(1));
    ScriptedWire.Sent first = fixture.commands.next();
    first.fail();
    fixture.manual.advanceMillis(1);
    fixture.commands.next().answer(held(180_000));
    fixture.manual.advanceMillis(180_000);

    ScriptedWire.Sent next = fixture.commands.next();
    assertThat(next.verbs()).as("the old one may be granted").containsExactly("Abandon", "Acquire");
    assertThat(requestOf(next.batch().getLast())).isNotEqualTo(requestOf(first.only()));
  }

  @Test
  void aGrantThatIsHeardOfTooLateIsConfirmedByARenewal() {
    AcquireRequest hasty = wanted(KEY, Duration.ofMillis(3_000), Duration.ofMillis(300));
    EngineFixture.Caller caller = fixture.acquire(hasty, MINUTE);
    ScriptedWire.Sent acquire = fixture.commands.next();
    fixture.manual.advanceMillis(2_500);
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 3_000));
    assertThat(caller.isWaiting()).isTrue();

    ScriptedWire.Sent renewal = fixture.commands.next();
    assertThat(renewal.verbs()).containsExactly("Renew");
    fixture.manual.advanceMillis(100);
    renewal.answer(new Outcome.Renewed(3_000));

    assertThat(fixture.trustMillis(caller)).isEqualTo(3_000 - 300 - 100);
  }

  @Test
  void aLateGrantThatCannotBeConfirmedIsAskedForAgain() {
    AcquireRequest hasty = wanted(KEY, Duration.ofMillis(3_000), Duration.ofMillis(300));
    EngineFixture.Caller caller = fixture.acquire(hasty, MINUTE);
    ScriptedWire.Sent acquire = fixture.commands.next();
    fixture.manual.advanceMillis(3_500);
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 3_000));
    fixture.commands.next().answer(new Outcome.Lost(new LossReason.Expired()));
    fixture.manual.advanceMillis(1);

    ScriptedWire.Sent again = fixture.commands.next();
    assertThat(again.only()).isEqualTo(acquire.only());
    again.answer(new Outcome.Ended(token(1), new LossReason.Expired()));
    ScriptedWire.Sent fresh = fixture.commands.next();
    assertThat(requestOf(fresh.only())).isNotEqualTo(requestOf(acquire.only()));
    fresh.answer(ScriptedWire.granted(fresh.only(), token(2), 3_000));
    assertThat(caller.lease().token()).isEqualTo(token(2));
  }

  @Test
  void aKeyThatIsClosedForATimeIsAskedForAfterIt() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    fixture.commands.next().answer(new Outcome.Closed("revoked", OptionalLong.of(7_000)));
    fixture.manual.advanceMillis(6_999);
    assertThat(fixture.commands.isQuiet()).isTrue();

    fixture.manual.advanceMillis(1);
    grant(fixture.commands.next());
    assertThat(caller.isWaiting()).isFalse();
  }

  @Test
  void aKeyThatIsClosedUntilAnOperatorActsIsAskedForNowAndThen() {
    EngineFixture.Caller caller = fixture.acquire(Duration.ofSeconds(15));
    fixture.commands.next().answer(new Outcome.Closed("broken", OptionalLong.empty()));
    fixture.manual.advanceMillis(10_000);
    fixture.commands.next().answer(new Outcome.Closed("broken", OptionalLong.empty()));
    fixture.manual.advance(MINUTE);

    assertThat(caller.verdict()).isEqualTo(new Verdict.Closed("broken", OptionalLong.empty()));
  }

  @Test
  void whatTheStoreRejectsIsNotTriedAgain() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    fixture.commands.next().answer(new Outcome.Rejected("ttl too short"));

    assertThat(caller.verdict()).isEqualTo(new Verdict.Rejected("ttl too short"));
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void whatHasChangedIsNotTriedAgain() {
    EngineFixture.Caller caller = fixture.acquire(MINUTE);
    fixture.commands.next().answer(new Outcome.Changed());

    assertThat(caller.verdict()).isEqualTo(new Verdict.Changed());
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void theDeadlineOfACallerThatIsDoneIsNotWaitedFor() {
    for (int i = 0; i < 10; i++) {
      EngineFixture.Caller caller = fixture.acquire(wanted(LeaseKey.of("lock", "k" + i)), MINUTE);
      fixture.commands.next().answer(new Outcome.Changed());
      assertThat(caller.isWaiting()).isFalse();
    }
    fixture.manual.advanceMillis(6_000);

    assertThat(fixture.manual.timers()).isZero();
  }

  @Test
  void whoComesBackFromALongPauseDoesNotRepeatAnOldRequest() {
    fixture.acquire(Duration.ofDays(1));
    ScriptedWire.Sent first = fixture.commands.next();
    first.fail();
    fixture.manual.pause(Duration.ofMinutes(20));
    fixture.manual.advanceMillis(1);

    ScriptedWire.Sent next = fixture.commands.next();
    assertThat(requestOf(next.batch().getLast())).isNotEqualTo(requestOf(first.only()));
  }
}
