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
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** An expired grant can be ended for good without a new one. */
class EndExpiredRulesTest {
  private static final LossReason EXPIRED = new LossReason.Expired();

  private final OneKey key = new OneKey();
  private final Token token = key.grant(ANNA);
  private final Command.EndExpired endExpired = new Command.EndExpired(KEY, token);

  @Test
  void aGrantIsNotEndedInItsLastMillisecond() {
    key.pass(TTL - 1);

    assertThat(key.send(endExpired)).isEqualTo(new Outcome.NotExpired(1));
    key.assertNothingWritten();
  }

  @Test
  void aGrantIsEndedFromItsExpiryOnUnderAVoidToken() {
    key.pass(TTL);

    assertThat(key.send(endExpired)).isEqualTo(lost(EXPIRED));
    assertThat(key.grant().standing()).isEqualTo(new Standing.Ended(EXPIRED, START + TTL));
    assertThat(key.record().last()).isEqualTo(token(2));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.EXPIRED, token));
  }

  @Test
  void aGrantThatLapsedIsEndedEvenIfTheClockWasSetBack() {
    key.pass(TTL);
    key.send(ANNA.renew(token));
    key.stepClockBack(TTL);

    assertThat(key.send(endExpired)).isEqualTo(lost(EXPIRED));
    assertThat(key.record().currentGrant()).isEmpty();
  }

  @Test
  void theKeyStaysOpenSinceItsHolderHasStoppedToTrustIt() {
    key.pass(TTL);
    key.send(endExpired);

    assertThat(key.record().closure()).isEmpty();
    assertThat(key.grant(BEN)).isEqualTo(token(3));
  }

  @Test
  void aGrantThatWasEndedIsNotEndedAgain() {
    key.pass(TTL);
    key.send(endExpired);

    assertThat(key.send(endExpired)).isEqualTo(lost(EXPIRED));
    key.assertNothingWritten();
  }

  @Test
  void aLateRenewalIsRefusedAfterIt() {
    key.pass(TTL);
    key.send(endExpired);
    key.stepClockBack(TTL);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(EXPIRED));
    key.assertNothingWritten();
  }

  @Test
  void theGrantThatFollowedIsLeftAlone() {
    key.pass(TTL);
    key.grant(BEN);

    assertThat(key.send(endExpired)).isEqualTo(lost(supersededBy(BEN, token(2))));
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }

  @Test
  void aTokenThatWasNeverIssuedEndsNothing() {
    key.pass(TTL);

    assertThat(key.send(new Command.EndExpired(KEY, token(9)))).isInstanceOf(Outcome.Lost.class);
    key.assertNothingWritten();
    assertThat(key.last().unissued()).contains(token(9));
  }
}
