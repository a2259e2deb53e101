package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.lost;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** Renewing a grant, in time and too late. */
class RenewRulesTest {
  private final OneKey key = new OneKey();
  private final Token token = key.grant(ANNA);

  @Test
  void aRenewalExtendsTheGrantByItsTtlFromNow() {
    Grant before = key.grant();
    key.pass(10_000);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(new Outcome.Renewed(TTL));
    assertThat(key.grant()).isEqualTo(before.renewed(TTL, before.progress(), START + 10_000));
    assertThat(key.grant().expiresAtMillis()).isEqualTo(START + 10_000 + TTL);
    assertThat(key.grant().renewedAtMillis()).isEqualTo(START + 10_000);
    assertThat(key.grant().grantedAtMillis()).isEqualTo(START);
  }

  @Test
  void aRenewalIsNeitherRememberedNorTold() {
    key.send(ANNA.renew(token));

    Decision.Put put = (Decision.Put) key.last().effect();
    assertThat(put.remembered()).isEmpty();
    assertThat(put.ending()).isEmpty();
    assertThat(put.changes()).isEmpty();
    assertThat(key.last().followUp()).isEmpty();
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void theTokenStaysTheSame() {
    key.send(ANNA.renew(token));

    assertThat(key.grant().token()).isEqualTo(token);
    assertThat(key.record().last()).isEqualTo(token);
  }

  @Test
  void aLongerTtlHoldsFromNowOn() {
    key.pass(10_000);
    assertThat(key.send(ANNA.renewFor(token, 60_000))).isEqualTo(new Outcome.Renewed(60_000));
    key.pass(10_000);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(new Outcome.Renewed(60_000));
  }

  @Test
  void aShorterTtlNeverCutsShortWhatWasPromised() {
    key.pass(10_000);

    assertThat(key.send(ANNA.renewFor(token, 5_000))).isEqualTo(new Outcome.Renewed(TTL - 10_000));
    assertThat(key.grant().terms().ttlMillis()).isEqualTo(5_000);
  }

  @Test
  void aRenewalIsInTimeToTheLastMillisecond() {
    key.pass(TTL - 1);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(new Outcome.Renewed(TTL));
  }

  @Test
  void aRenewalThatComesAtExpiryIsTooLateAndSaysSo() {
    key.pass(TTL);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(new LossReason.Expired()));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.EXPIRED, token));
  }

  @Test
  void anExpiredGrantIsClosedToRenewalForGoodButStaysCurrent() {
    key.pass(TTL);
    key.send(ANNA.renew(token));

    assertThat(key.grant().standing()).isEqualTo(Standing.LAPSED);
    assertThat(key.grant().isCurrent()).isTrue();
    assertThat(key.record().last()).isEqualTo(token);
    assertThat(key.record().writtenAtMillis()).isEqualTo(START + TTL);
  }

  @Test
  void aClockSteppedBackDoesNotReviveIt() {
    key.pass(TTL);
    key.send(ANNA.renew(token));
    key.stepClockBack(TTL);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(new LossReason.Expired()));
    assertThat(key.grant(BEN)).isEqualTo(token(2));
  }

  @Test
  void aSecondLateRenewalIsToldTheSameAndWritesNothing() {
    key.pass(TTL);
    key.send(ANNA.renew(token));

    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(new LossReason.Expired()));
    key.assertNothingWritten();
  }

  @Test
  void anotherInstanceWithTheRightTokenIsNotTheHolder() {
    assertThat(key.send(BEN.renew(token))).isEqualTo(lost(new LossReason.NotHolder()));
    key.assertNothingWritten();
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void aProgressMarkThatGrowsCountsAsMovement() {
    key.pass(1_000);
    key.send(ANNA.renewAt(token, 5));

    assertThat(key.grant().progress()).isEqualTo(new Progress(5, START + 1_000));
  }

  @Test
  void aProgressMarkThatStaysOrFallsIsNoMovement() {
    key.send(ANNA.renewAt(token, 5));
    key.pass(1_000);
    key.send(ANNA.renewAt(token, 5));
    key.send(ANNA.renewAt(token, 4));

    assertThat(key.grant().progress()).isEqualTo(new Progress(5, START));
  }
}
