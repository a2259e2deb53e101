package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.CLEO;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.lost;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.supersededBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** What an advanced incarnation makes of a key that was held before. */
class AdvancedKeyRulesTest {
  private static final int NEXT = INCARNATION + 1;

  private final OneKey key = new OneKey();
  private final Token old = key.grant(ANNA);

  @Test
  void aGrantOfAnEarlierIncarnationCountsAsEndedSinceItsLastRenewal() {
    key.pass(1_000);
    key.send(ANNA.renew(old));
    LeaseRecord written = key.record();

    LeaseRecord counted = LeaseRules.inIncarnation(written, new StoreIncarnation(NEXT, 0));

    assertThat(counted.grant().orElseThrow().standing())
        .isEqualTo(new Standing.Ended(new LossReason.IncarnationAdvanced(), START + 1_000));
    assertThat(counted.writtenAtMillis()).isEqualTo(written.writtenAtMillis());
  }

  @Test
  void aGrantOfThisIncarnationCountsAsItIs() {
    assertThat(LeaseRules.inIncarnation(key.record(), new StoreIncarnation(INCARNATION, 0)))
        .isEqualTo(key.record());
  }

  @Test
  void aGrantThatHadEndedKeepsItsOwnReason() {
    key.send(ANNA.release(old, "r2"));

    assertThat(LeaseRules.inIncarnation(key.record(), new StoreIncarnation(NEXT, 0)))
        .isEqualTo(key.record());
  }

  @Test
  void theNextGrantOutranksAllBefore() {
    key.advanceTo(NEXT, 0);
    Token next = key.grant(BEN);

    assertThat(next).isEqualTo(Token.of(NEXT, 2));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.GRANTED, next));
    assertThat(key.endOf(old)).contains(new LossReason.IncarnationAdvanced());
  }

  @Test
  void aTokenThatTheStoreLostWithItsWritesIsOutrankedToo() {
    Token lostWithTheRollback = Token.of(INCARNATION, 1_000);
    key.advanceTo(NEXT, 0);
    // Nothing points to lost writes: every later grant is above the unknown token.
    assertThat(key.send(CLEO.renew(lostWithTheRollback)))
        .isEqualTo(lost(LossReason.Unknown.after(Token.of(NEXT, 0))));
    assertThat(key.last().unissued()).contains(lostWithTheRollback);

    Token next = key.grant(BEN);

    assertThat(next.isAbove(lostWithTheRollback)).isTrue();
    assertThat(key.send(CLEO.renew(lostWithTheRollback))).isEqualTo(lost(supersededBy(BEN, next)));
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void aGrantThatHasEndedWithTheAdvanceHasNothingToRevoke() {
    key.advanceTo(NEXT, TTL);

    assertThat(key.send(revoke(Reopening.AT_EXPIRY, "r2"))).isEqualTo(new Outcome.Free());
  }

  @Test
  void aKeyThatWasWrittenWhileTheClockStoodTooHighIsHeldOffLikeAnyOther() {
    key.pass(1_000_000);
    key.send(ANNA.abandon("r2"));
    key.stepClockBack(1_000_000);
    key.advanceTo(NEXT, TTL);

    assertThat(key.send(BEN.acquire("r3")))
        .isInstanceOfSatisfying(
            Outcome.Closed.class, closed -> assertThat(closed.remainingMillis()).hasValue(TTL));
    key.pass(TTL - 1);
    assertThat(key.send(BEN.acquire("r3"))).isInstanceOf(Outcome.Closed.class);
    key.pass(1);
    assertThat(key.send(BEN.acquire("r3"))).isInstanceOf(Outcome.Granted.class);
  }

  @Test
  void anAbandonDuringTheHoldOffIsKept() {
    key.advanceTo(NEXT, TTL);
    key.send(BEN.abandon("r2"));
    key.pass(TTL);

    assertThat(key.send(BEN.acquire("r2"))).isEqualTo(new Outcome.Abandoned());
  }
}
