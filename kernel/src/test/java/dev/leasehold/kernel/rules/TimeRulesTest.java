package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** For one key, store time never goes back: a clock that is stepped back only stands still. */
class TimeRulesTest {
  private final OneKey key = new OneKey();

  @Test
  void aContenderIsToldNoMoreThanTheWholeTtl() {
    Token token = key.grant(ANNA);
    key.stepClockBack(10_000);

    assertThat(key.send(BEN.acquire("r2")))
        .isEqualTo(new Outcome.Held("anna", ANNA.id(), token, TTL));
  }

  @Test
  void aRenewalIsWrittenAtTheTimeOfTheLastWrite() {
    Token token = key.grant(ANNA);
    key.stepClockBack(10_000);

    assertThat(key.send(ANNA.renew(token))).isEqualTo(new Outcome.Renewed(TTL));
    assertThat(key.record().writtenAtMillis()).isEqualTo(START);
    assertThat(key.grant().expiresAtMillis()).isEqualTo(START + TTL);
  }

  @Test
  void expiryIsDelayedByTheStepAndNotMore() {
    key.grant(ANNA);
    key.stepClockBack(10_000);
    key.pass(TTL + 10_000 - 1);
    assertThat(key.send(BEN.acquire("r2")))
        .isEqualTo(new Outcome.Held("anna", ANNA.id(), token(1), 1));
    key.pass(1);

    assertThat(key.grant(BEN)).isEqualTo(token(2));
  }

  @Test
  void everyVerbWritesAtTheTimeOfTheLastWriteAtTheEarliest() {
    Token token = key.grant(ANNA);
    key.stepClockBack(10_000);
    key.send(ANNA.release(token, "r2"));
    key.send(ANNA.abandon("r3"));
    key.grant(BEN);

    assertThat(key.grant().grantedAtMillis()).isEqualTo(START);
    assertThat(key.record().writtenAtMillis()).isEqualTo(START);
  }
}
