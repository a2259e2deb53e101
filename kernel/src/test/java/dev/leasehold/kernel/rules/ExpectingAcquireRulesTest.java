package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.CLEO;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** The compare-and-set takeover: only if the record still is what the caller read. */
class ExpectingAcquireRulesTest {
  private final OneKey key = new OneKey();

  @Test
  void anExpiredGrantThatIsAsExpectedIsTakenOver() {
    Token read = key.grant(ANNA);
    key.pass(TTL);

    assertThat(key.grant(BEN.acquire("r2").expecting(ANNA.id(), read))).isEqualTo(token(2));
  }

  @Test
  void aLapsedGrantThatIsAsExpectedIsTakenOver() {
    Token read = key.grant(ANNA);
    key.pass(TTL);
    key.send(ANNA.renew(read));

    assertThat(key.grant(BEN.acquire("r2").expecting(ANNA.id(), read))).isEqualTo(token(2));
  }

  @Test
  void anUnexpiredGrantIsHeldEvenIfItIsAsExpected() {
    Token read = key.grant(ANNA);

    assertThat(key.send(BEN.acquire("r2").expecting(ANNA.id(), read)))
        .isEqualTo(new Outcome.Held("anna", ANNA.id(), read, TTL));
  }

  @Test
  void anotherTokenOfTheSameInstanceIsAChange() {
    Token read = key.grant(ANNA);
    key.pass(TTL);
    key.grant(ANNA);
    key.pass(TTL);

    assertThat(key.send(BEN.acquire("r3").expecting(ANNA.id(), read)))
        .isEqualTo(new Outcome.Changed());
    key.assertNothingWritten();
  }

  @Test
  void anotherInstanceUnderTheExpectedTokenIsAChange() {
    Token read = key.grant(ANNA);
    key.pass(TTL);

    assertThat(key.send(BEN.acquire("r2").expecting(CLEO.id(), read)))
        .isEqualTo(new Outcome.Changed());
  }

  @Test
  void aChangeIsToldBeforeTheGrantOfAnotherHolder() {
    Token read = key.grant(ANNA);
    key.pass(TTL);
    key.grant(CLEO);

    assertThat(key.send(BEN.acquire("r3").expecting(ANNA.id(), read)))
        .isEqualTo(new Outcome.Changed());
  }

  @Test
  void aGrantThatWasReleasedMeanwhileIsAChange() {
    Token read = key.grant(ANNA);
    key.send(ANNA.release(read, "r2"));

    assertThat(key.send(BEN.acquire("r3").expecting(ANNA.id(), read)))
        .isEqualTo(new Outcome.Changed());
  }

  @Test
  void aKeyThatWasNeverGrantedIsAChange() {
    assertThat(key.send(BEN.acquire("r1").expecting(ANNA.id(), token(1))))
        .isEqualTo(new Outcome.Changed());
  }

  @Test
  void aClosedKeyIsToldAsClosedWithAnyExpectation() {
    Token read = key.grant(ANNA);
    key.send(OneKey.revoke(Command.Reopening.BY_OPERATOR, "r2"));

    assertThat(key.send(BEN.acquire("r3").expecting(ANNA.id(), read)))
        .isInstanceOf(Outcome.Closed.class);
  }

  @Test
  void anExpectedTokenAboveTheRecordIsAChangeAndSuspect() {
    key.grant(ANNA);
    key.pass(TTL);

    assertThat(key.send(BEN.acquire("r2").expecting(ANNA.id(), token(2))))
        .isEqualTo(new Outcome.Changed());
    assertThat(key.last().unissued()).contains(token(2));
    key.assertNothingWritten();
  }

  @Test
  void anExpectedTokenThatWasIssuedIsNotSuspect() {
    Token read = key.grant(ANNA);
    key.send(ANNA.release(read, "r2"));
    key.send(BEN.acquire("r3").expecting(ANNA.id(), read));

    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void aClosedKeyHidesNoSuspicion() {
    key.send(OneKey.revoke(Command.Reopening.BY_OPERATOR, "r1"));

    assertThat(key.send(BEN.acquire("r2").expecting(ANNA.id(), token(9))))
        .isInstanceOf(Outcome.Closed.class);
    assertThat(key.last().unissued()).contains(token(9));
  }
}
