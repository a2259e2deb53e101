package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.lost;
import static dev.leasehold.kernel.rules.OneKey.supersededBy;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A holder that renews but does not progress loses the lease. */
class StallRulesTest {
  private static final long LIMIT = 20_000;
  private static final LossReason STALLED = new LossReason.Stalled();

  private final OneKey key = new OneKey();
  private final Token token =
      key.grant(ANNA.acquire("r1", ANNA.terms(TTL).withStallLimit(new StallLimit(LIMIT))));
  private final Command.EndStalled endStalled = new Command.EndStalled(KEY, token);

  @Test
  void aMarkMayStandStillToTheLastMillisecondOfTheLimit() {
    key.pass(LIMIT - 1);

    assertThat(key.send(ANNA.renewAt(token, 0))).isEqualTo(new Outcome.Renewed(TTL));
  }

  @Test
  void aRenewalThatFindsAStallWritesNothingAndIsFollowedByAnEnding() {
    key.pass(LIMIT);

    assertThat(key.send(ANNA.renewAt(token, 0))).isEqualTo(lost(STALLED));
    key.assertNothingWritten();
    assertThat(key.last().followUp()).contains(endStalled);
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void aMarkThatGrowsAtTheLimitIsInTime() {
    key.pass(LIMIT);

    assertThat(key.send(ANNA.renewAt(token, 1))).isEqualTo(new Outcome.Renewed(TTL));
    assertThat(key.last().followUp()).isEmpty();
  }

  @Test
  void theLimitCountsFromTheLastMovementAndNotFromTheLastRenewal() {
    key.pass(5_000);
    key.send(ANNA.renewAt(token, 1));
    key.pass(LIMIT - 1);
    assertThat(key.send(ANNA.renewAt(token, 1))).isEqualTo(new Outcome.Renewed(TTL));
    key.pass(1);

    assertThat(key.send(ANNA.renewAt(token, 1))).isEqualTo(lost(STALLED));
  }

  @Test
  void withoutALimitAPulseIsEnough() {
    OneKey pulse = new OneKey();
    Token pulsing = pulse.grant(ANNA, 24 * 3_600_000);
    pulse.pass(24 * 3_600_000 - 1);

    assertThat(pulse.send(ANNA.renew(pulsing))).isInstanceOf(Outcome.Renewed.class);
  }

  @Test
  void theEndingCommandEndsTheGrantUnderAVoidToken() {
    key.pass(LIMIT);

    assertThat(key.send(endStalled)).isEqualTo(lost(STALLED));
    assertThat(key.grant().standing()).isEqualTo(new Standing.Ended(STALLED, START + LIMIT));
    assertThat(key.record().last()).isEqualTo(token(2));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.REVOKED, token));
  }

  @Test
  void aStalledHolderThatWasNotToldMayTrustUntilItsExpirySoTheKeyIsClosedUntilThen() {
    key.pass(LIMIT);
    key.send(endStalled);

    assertThat(key.send(BEN.acquire("r2")))
        .isEqualTo(new Outcome.Closed("its holder stalled", OptionalLong.of(TTL - LIMIT)));
    key.pass(TTL - LIMIT);
    assertThat(key.grant(BEN)).isEqualTo(token(3));
  }

  @Test
  void aGrantThatExpiredBeforeItsStallWasDecidedLeavesNoClosure() {
    key.pass(TTL);
    key.send(endStalled);

    assertThat(key.record().closure()).isEmpty();
  }

  @Test
  void theEndingCommandFindsThatTheGrantHasMovedMeanwhile() {
    key.pass(LIMIT);
    key.send(ANNA.renewAt(token, 1));
    key.pass(1_000);

    assertThat(key.send(endStalled)).isEqualTo(new Outcome.NotStalled(TTL - 1_000));
    key.assertNothingWritten();
  }

  @Test
  void theEndingCommandIsDecidedToTheMillisecond() {
    key.pass(LIMIT - 1);

    assertThat(key.send(endStalled)).isEqualTo(new Outcome.NotStalled(TTL - LIMIT + 1));
  }

  @Test
  void theEndingCommandTwiceEndsOnce() {
    key.pass(LIMIT);
    key.send(endStalled);

    assertThat(key.send(endStalled)).isEqualTo(lost(STALLED));
    key.assertNothingWritten();
  }

  @Test
  void theEndingCommandDoesNotTouchTheHolderThatFollowed() {
    key.pass(TTL);
    key.grant(BEN);

    assertThat(key.send(endStalled)).isEqualTo(lost(supersededBy(BEN, token(2))));
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }

  @Test
  void aStalledHolderIsToldSoEverAfter() {
    key.pass(LIMIT);
    key.send(endStalled);

    assertThat(key.send(ANNA.renewAt(token, 7))).isEqualTo(lost(STALLED));
  }

  @Test
  void anExpiredGrantIsToldAsExpiredAndNotAsStalled() {
    key.pass(TTL);

    assertThat(key.send(ANNA.renewAt(token, 0))).isEqualTo(lost(new LossReason.Expired()));
    assertThat(key.last().followUp()).isEmpty();
  }
}
