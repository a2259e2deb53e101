package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.lost;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.supersededBy;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** An acquire that arrives again, because its answer was lost or the network sent it twice. */
class RepeatedAcquireRulesTest {
  private final OneKey key = new OneKey();
  private final Command.Acquire acquire = ANNA.acquire("r1");
  private final Token token = key.grant(acquire);

  private void assertRepeatIsEnded(LossReason reason) {
    assertThat(key.send(acquire)).isEqualTo(new Outcome.Ended(token, reason));
  }

  @Test
  void aGrantStillCurrentIsToldAgainWithTheRemainingOfNow() {
    key.pass(12_000);

    assertThat(key.send(acquire)).isEqualTo(new Outcome.Granted(key.grant(), TTL - 12_000));
    assertThat(key.grant().token()).isEqualTo(token);
    key.assertNothingWritten();
  }

  @Test
  void aGrantThatWasRenewedMeanwhileIsToldAsItIsNow() {
    key.pass(12_000);
    key.send(ANNA.renew(token));
    key.pass(1_000);

    assertThat(key.send(acquire)).isEqualTo(new Outcome.Granted(key.grant(), TTL - 1_000));
  }

  @Test
  void aGrantIsToldAgainToItsLastMillisecond() {
    key.pass(TTL - 1);

    assertThat(key.send(acquire)).isEqualTo(new Outcome.Granted(key.grant(), 1));
  }

  @Test
  void anExpiredGrantIsToldAsEndedAndClosedToRenewalForGood() {
    key.pass(TTL);

    assertRepeatIsEnded(new LossReason.Expired());
    assertThat(key.grant().standing()).isEqualTo(Standing.LAPSED);
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.EXPIRED, token));
    key.stepClockBack(TTL);
    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(new LossReason.Expired()));
  }

  @Test
  void anExpiredGrantToldTwiceIsWrittenOnce() {
    key.pass(TTL);
    key.send(acquire);

    assertRepeatIsEnded(new LossReason.Expired());
    key.assertNothingWritten();
  }

  @Test
  void aReleasedGrantIsToldAsReleased() {
    key.send(ANNA.release(token, "r2"));

    assertRepeatIsEnded(new LossReason.Released());
    key.assertNothingWritten();
  }

  @Test
  void aGrantThatWasTakenOverIsToldAsSuperseded() {
    key.pass(TTL);
    Token next = key.grant(BEN);

    assertRepeatIsEnded(supersededBy(BEN, next));
    key.assertNothingWritten();
  }

  @Test
  void aRevokedGrantIsToldAsRevokedAndNotAsClosed() {
    key.send(revoke(Command.Reopening.AT_EXPIRY, "r2"));

    assertRepeatIsEnded(OneKey.revokedByOlga());
  }

  @Test
  void aGrantThatWasHandedOverIsToldAsSuperseded() {
    key.send(ANNA.hands(token, "r2").to(BEN));

    assertRepeatIsEnded(supersededBy(BEN, token(2)));
  }

  @Test
  void aStalledGrantIsToldAsStalled() {
    OneKey stalled = new OneKey();
    Command.Acquire bounded =
        ANNA.acquire("r1", ANNA.terms(TTL).withStallLimit(new StallLimit(1_000)));
    stalled.grant(bounded);
    stalled.pass(1_000);
    stalled.send(new Command.EndStalled(Actor.KEY, token(1)));

    assertThat(stalled.send(bounded))
        .isEqualTo(new Outcome.Ended(token(1), new LossReason.Stalled()));
  }

  @Test
  void aGrantOfAnEarlierIncarnationIsToldAsSuchEvenDuringTheHoldOff() {
    key.advanceTo(INCARNATION + 1, TTL);

    assertRepeatIsEnded(new LossReason.IncarnationAdvanced());
  }

  @Test
  void theEndIsToldFromMemoryAfterOthersHaveFollowed() {
    key.send(ANNA.release(token, "r2"));
    key.grant(BEN);

    assertRepeatIsEnded(new LossReason.Released());
  }

  @Test
  void anotherInstanceUnderTheSameRequestIdRepeatsNothing() {
    assertThat(key.send(BEN.acquire("r1")))
        .isEqualTo(new Outcome.Held("anna", ANNA.id(), token, TTL));
    key.send(ANNA.release(token, "r2"));

    assertThat(key.grant(BEN.acquire("r1"))).isEqualTo(token(2));
  }

  @Test
  void anotherRequestOfTheSameInstanceRepeatsNothing() {
    key.send(ANNA.release(token, "r2"));

    assertThat(key.grant(ANNA.acquire("r3"))).isEqualTo(token(2));
  }

  @Test
  void aRequestThatWasOnlyRefusedIsDecidedAfresh() {
    key.send(BEN.acquire("r2"));
    key.pass(TTL);

    assertThat(key.grant(BEN.acquire("r2"))).isEqualTo(token(2));
    assertThat(key.grant().grantedAtMillis()).isEqualTo(START + TTL);
  }
}
