package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.OLGA;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.reopen;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** An operator opens a closed key again. */
class ReopenRulesTest {
  private static final StallLimit LIMIT = new StallLimit(1);

  private final OneKey key = new OneKey();

  @Test
  void aKeyClosedUntilAnOperatorActsIsOpened() {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));
    key.pass(1_000);

    assertThat(key.send(reopen("r2"))).isEqualTo(new Outcome.Reopened());
    assertThat(key.record().closure()).isEmpty();
    assertThat(key.record().writtenAtMillis()).isEqualTo(START + 1_000);
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.RELEASED, token(1)));
    assertThat(key.grant(ANNA)).isEqualTo(token(2));
  }

  @Test
  void aClosureThatEndsByItselfIsLeftAlone() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertThat(key.send(reopen("r3"))).isEqualTo(new Outcome.NotClosed());
    key.assertNothingWritten();
  }

  @Test
  void aKeyWhoseRevokedHolderMayStillTrustStaysClosedUntilThatIsOver() {
    key.grant(ANNA);
    key.send(revoke(Reopening.BY_OPERATOR, "r2"));
    key.pass(TTL - 1);

    assertThat(key.send(reopen("r3"))).isEqualTo(new Outcome.Reopened());
    assertThat(key.record().closure())
        .contains(new Closure("it writes nonsense", OptionalLong.of(START + TTL)));
    assertThat(key.send(BEN.acquire("r4"))).isInstanceOf(Outcome.Closed.class);
    key.pass(1);
    assertThat(key.grant(BEN)).isEqualTo(token(3));
  }

  @Test
  void aKeyWhoseStalledHolderMayStillTrustStaysClosedUntilThatIsOver() {
    Token stalled = key.grant(ANNA.acquire("r1", ANNA.terms(TTL).withStallLimit(LIMIT)));
    key.pass(1);
    key.send(new Command.EndStalled(KEY, stalled));
    key.send(revoke(Reopening.BY_OPERATOR, "r2"));
    key.send(reopen("r3"));

    assertThat(key.record().closure().orElseThrow().untilMillis()).hasValue(START + TTL);
  }

  @Test
  void aKeyWhoseHolderGaveItBackIsOpenAtOnce() {
    key.send(ANNA.release(key.grant(ANNA), "r2"));
    key.send(revoke(Reopening.BY_OPERATOR, "r3"));
    key.send(reopen("r4"));

    assertThat(key.record().closure()).isEmpty();
  }

  @Test
  void theBarOfTheRevokedInstanceStays() {
    key.grant(ANNA.acquire("r1", ANNA.terms(1_000)));
    key.send(revoke(Reopening.BY_OPERATOR, "r2"));
    key.pass(1_000);
    key.send(reopen("r3"));

    assertThat(key.record().closure()).isEmpty();
    assertThat(key.send(ANNA.acquire("r4"))).isInstanceOf(Outcome.Closed.class);
  }

  @Test
  void aKeyThatIsNotClosedIsToldSo() {
    key.grant(ANNA);

    assertThat(key.send(reopen("r2"))).isEqualTo(new Outcome.NotClosed());
    key.assertNothingWritten();
  }

  @Test
  void aClosureThatIsOverIsNoClosure() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));
    key.pass(TTL);

    assertThat(key.send(reopen("r3"))).isEqualTo(new Outcome.NotClosed());
  }

  @Test
  void aRepeatIsToldAgainAndDoesNotOpenAnewClosure() {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));
    key.send(reopen("r2"));
    key.send(revoke(Reopening.BY_OPERATOR, "r3"));

    assertThat(key.send(reopen("r2"))).isEqualTo(new Outcome.Reopened());
    key.assertNothingWritten();
    assertThat(key.record().closure()).isPresent();
  }

  @Test
  void itIsRememberedForItsOperator() {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));
    key.pass(1_000);
    key.send(reopen("r2"));

    Remembered.Request request =
        new Remembered.Request(
            new RequestId("r2"), new Caller.ByOperator(OLGA), Remembered.Verb.REOPEN);
    assertThat(key.effectOf(request)).contains(new Remembered(request, token(1), START + 1_000));
  }
}
