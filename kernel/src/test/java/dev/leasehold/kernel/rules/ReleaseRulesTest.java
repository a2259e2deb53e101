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
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** Releasing a grant. */
class ReleaseRulesTest {
  private static final Outcome RELEASED = new Outcome.Released();

  private final OneKey key = new OneKey();
  private final Token token = key.grant(ANNA);

  @Test
  void aReleasedGrantEndsAtOnceAndItsRecordStays() {
    key.pass(1_000);

    assertThat(key.send(ANNA.release(token, "r2"))).isEqualTo(RELEASED);
    assertThat(key.grant().standing())
        .isEqualTo(new Standing.Ended(new LossReason.Released(), START + 1_000));
    assertThat(key.record().last()).isEqualTo(token);
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.RELEASED, token));
  }

  @Test
  void aReleaseIsRememberedWithItsTokenAndTime() {
    key.pass(1_000);
    key.send(ANNA.release(token, "r2"));

    Remembered.Request request =
        new Remembered.Request(
            new RequestId("r2"), new Caller.Holder(ANNA.id()), Remembered.Verb.RELEASE);
    assertThat(key.effectOf(request)).contains(new Remembered(request, token, START + 1_000));
  }

  @Test
  void anExpiredGrantThatIsStillCurrentCanBeReleased() {
    key.pass(TTL);

    assertThat(key.send(ANNA.release(token, "r2"))).isEqualTo(RELEASED);
  }

  @Test
  void aLapsedGrantCanBeReleased() {
    key.pass(TTL);
    key.send(ANNA.renew(token));

    assertThat(key.send(ANNA.release(token, "r2"))).isEqualTo(RELEASED);
  }

  @Test
  void aRepeatedReleaseIsToldAgainAndDoneOnce() {
    key.send(ANNA.release(token, "r2"));
    key.grant(BEN);

    assertThat(key.send(ANNA.release(token, "r2"))).isEqualTo(RELEASED);
    key.assertNothingWritten();
    assertThat(key.grant().isCurrent()).isTrue();
  }

  @Test
  void aSecondReleaseUnderAnotherRequestIsLost() {
    key.send(ANNA.release(token, "r2"));

    assertThat(key.send(ANNA.release(token, "r3"))).isEqualTo(lost(new LossReason.Released()));
  }

  @Test
  void anotherInstanceCannotReleaseIt() {
    assertThat(key.send(BEN.release(token, "r2"))).isEqualTo(lost(new LossReason.NotHolder()));
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }

  @Test
  void anotherInstancesReleaseUnderTheSameRequestIdRepeatsNothing() {
    key.send(ANNA.release(token, "r2"));
    Token next = key.grant(BEN);

    assertThat(key.send(BEN.release(next, "r2"))).isEqualTo(RELEASED);
    assertThat(key.grant().isCurrent()).isFalse();
  }

  @Test
  void aReleaseDoesNotTouchTheHolderThatFollowed() {
    key.pass(TTL);
    key.grant(BEN);

    assertThat(key.send(ANNA.release(token, "r3"))).isInstanceOf(Outcome.Lost.class);
    assertThat(key.grant().token()).isEqualTo(token(2));
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }
}
