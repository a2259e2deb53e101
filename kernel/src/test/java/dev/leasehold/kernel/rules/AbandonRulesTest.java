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

/** Giving up an acquire whose answer never came. */
class AbandonRulesTest {
  private static final Outcome ABANDONED = new Outcome.Abandoned();

  private final OneKey key = new OneKey();

  @Test
  void whatTheRequestWasGrantedIsReleased() {
    Token token = key.grant(ANNA.acquire("r1"));
    key.pass(1_000);

    assertThat(key.send(ANNA.abandon("r1"))).isEqualTo(ABANDONED);
    assertThat(key.grant().standing())
        .isEqualTo(new Standing.Ended(new LossReason.Released(), START + 1_000));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.RELEASED, token));
    assertThat(key.grant(BEN)).isEqualTo(token(2));
  }

  @Test
  void whatWasNotGrantedYetCanNoLongerBe() {
    assertThat(key.send(ANNA.abandon("r1"))).isEqualTo(ABANDONED);

    assertThat(key.send(ANNA.acquire("r1"))).isEqualTo(ABANDONED);
    key.assertNothingWritten();
    assertThat(key.record().grant()).isEmpty();
  }

  @Test
  void theAbandonedGrantsAcquireIsToldThatItWasReleased() {
    Token token = key.grant(ANNA.acquire("r1"));
    key.send(ANNA.abandon("r1"));

    assertThat(key.send(ANNA.acquire("r1")))
        .isEqualTo(new Outcome.Ended(token, new LossReason.Released()));
  }

  @Test
  void aTombstoneOutlivesTheMemoryOfItsAcquire() {
    key.grant(ANNA.acquire("r1"));
    key.forgetAll();
    key.send(ANNA.abandon("r1"));

    assertThat(key.send(ANNA.acquire("r1"))).isEqualTo(ABANDONED);
  }

  @Test
  void aSecondAbandonChangesNothing() {
    key.grant(ANNA.acquire("r1"));
    key.send(ANNA.abandon("r1"));

    assertThat(key.send(ANNA.abandon("r1"))).isEqualTo(ABANDONED);
    key.assertNothingWritten();
  }

  @Test
  void theTombstoneCarriesTheRecordsTokenAndTheTime() {
    key.startAbove(token(6));
    key.pass(5);
    key.send(ANNA.abandon("r1"));

    Remembered.Request request =
        new Remembered.Request(
            new RequestId("r1"), new Caller.Holder(ANNA.id()), Remembered.Verb.ABANDON);
    assertThat(key.effectOf(request)).contains(new Remembered(request, token(6), START + 5));
    assertThat(key.record().writtenAtMillis()).isEqualTo(START + 5);
    assertThat(key.told()).isEmpty();
  }

  @Test
  void anotherInstanceUnderTheSameRequestIdReleasesNothing() {
    Token token = key.grant(ANNA.acquire("r1"));

    assertThat(key.send(BEN.abandon("r1"))).isEqualTo(ABANDONED);
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
    assertThat(key.send(ANNA.renew(token))).isEqualTo(new Outcome.Renewed(TTL));
  }

  @Test
  void anotherRequestOfTheSameInstanceReleasesNothing() {
    key.grant(ANNA.acquire("r1"));

    assertThat(key.send(ANNA.abandon("r0"))).isEqualTo(ABANDONED);
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }

  @Test
  void anExpiredGrantThatIsStillCurrentIsReleased() {
    Token token = key.grant(ANNA.acquire("r1"));
    key.pass(TTL);
    key.send(ANNA.abandon("r1"));

    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(new LossReason.Released()));
  }

  @Test
  void theGrantOfAHolderThatTookOverIsLeftAlone() {
    key.grant(ANNA.acquire("r1"));
    key.pass(TTL);
    key.grant(BEN);
    key.send(ANNA.abandon("r1"));

    assertThat(key.grant().instanceId()).isEqualTo(BEN.id());
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }

  @Test
  void aGrantThatWasHandedOverIsLeftToTheHeir() {
    Token token = key.grant(ANNA.acquire("r1"));
    key.send(ANNA.hands(token, "r2").to(BEN));
    key.send(ANNA.abandon("r1"));
    key.send(ANNA.abandon("r2"));

    assertThat(key.send(BEN.renew(token(2)))).isEqualTo(new Outcome.Renewed(TTL));
  }
}
