package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.OLGA;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.revokedByOlga;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator takes a key away, or closes it. */
class RevokeRulesTest {
  private static final String WHY = "it writes nonsense";
  private static final Closure FOR_GOOD = new Closure(WHY, OptionalLong.empty());

  private final OneKey key = new OneKey();

  private static Closure until(long millis) {
    return new Closure(WHY, OptionalLong.of(millis));
  }

  @ParameterizedTest
  @EnumSource
  void aCurrentGrantEndsAndAVoidTokenGoesAboveIt(Reopening reopening) {
    key.grant(ANNA);
    key.pass(1_000);

    assertThat(key.send(revoke(reopening, "r2"))).isEqualTo(new Outcome.Revoked(token(2)));
    assertThat(key.grant().standing())
        .isEqualTo(new Standing.Ended(revokedByOlga(), START + 1_000));
    assertThat(key.record().last()).isEqualTo(token(2));
    assertThat(key.grant().token()).isEqualTo(token(1));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.REVOKED, token(1)));
  }

  @Test
  void atExpiryTheKeyStaysClosedUntilItsHolderHasStoppedTrusting() {
    key.grant(ANNA);
    key.pass(1_000);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertThat(key.record().closure()).contains(until(START + TTL));
  }

  @Test
  void nowTheKeyIsOpenAtOnce() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));

    assertThat(key.record().closure()).isEmpty();
  }

  @Test
  void byOperatorTheKeyIsClosedUntilOneReopensIt() {
    key.grant(ANNA);
    key.send(revoke(Reopening.BY_OPERATOR, "r2"));

    assertThat(key.record().closure()).contains(FOR_GOOD);
  }

  @Test
  void theInstanceIsBarredForAtLeastHalfAMinute() {
    key.grant(ANNA, 5_000);
    key.pass(1_000);
    key.send(revoke(Reopening.NOW, "r2"));

    assertThat(key.record().bar()).contains(new Bar(ANNA.id(), WHY, START + 1_000 + 30_000));
  }

  @Test
  void theInstanceIsBarredForItsTtlWhereThatIsLonger() {
    key.grant(ANNA, 45_000);
    key.send(revoke(Reopening.NOW, "r2"));

    assertThat(key.record().bar()).contains(new Bar(ANNA.id(), WHY, START + 45_000));
  }

  @Test
  void anExpiredGrantThatIsStillCurrentIsRevokedAndTheKeyStaysOpen() {
    key.grant(ANNA);
    key.pass(TTL);

    assertThat(key.send(revoke(Reopening.AT_EXPIRY, "r2")))
        .isEqualTo(new Outcome.Revoked(token(2)));
    assertThat(key.record().closure()).isEmpty();
    assertThat(key.record().bar()).contains(new Bar(ANNA.id(), WHY, START + 2 * TTL));
    assertThat(key.grant().isCurrent()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_EXPIRY", "NOW"})
  void aFreeKeyHasNothingToRevoke(Reopening reopening) {
    assertThat(key.send(revoke(reopening, "r1"))).isEqualTo(new Outcome.Free());
    key.assertNothingWritten();
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_EXPIRY", "NOW"})
  void aReleasedKeyHasNothingToRevoke(Reopening reopening) {
    key.send(ANNA.release(key.grant(ANNA), "r2"));

    assertThat(key.send(revoke(reopening, "r3"))).isEqualTo(new Outcome.Free());
    key.assertNothingWritten();
  }

  @Test
  void aFreeKeyCanBeClosedUntilAnOperatorActs() {
    assertThat(key.send(revoke(Reopening.BY_OPERATOR, "r1")))
        .isEqualTo(new Outcome.Revoked(token(1)));
    assertThat(key.record().closure()).contains(FOR_GOOD);
    assertThat(key.record().last()).isEqualTo(token(1));
    assertThat(key.record().writtenAtMillis()).isEqualTo(START);
    assertThat(key.record().grant()).isEmpty();
    assertThat(key.record().bar()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aKeyClosedUntilAnOperatorActsStaysSoUnderEveryRevocation(Reopening reopening) {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));

    assertThat(key.send(revoke(reopening, "r2"))).isEqualTo(new Outcome.Free());
    key.assertNothingWritten();
  }

  @Test
  void aTimedClosureIsLeftAsItIsBySecondRevocationAtExpiry() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertThat(key.send(revoke(Reopening.AT_EXPIRY, "r3"))).isEqualTo(new Outcome.Free());
    assertThat(key.record().closure()).contains(until(START + TTL));
  }

  @Test
  void aTimedClosureIsLiftedByARevocationNow() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertThat(key.send(revoke(Reopening.NOW, "r3"))).isEqualTo(new Outcome.Revoked(token(3)));
    assertThat(key.record().closure()).isEmpty();
    assertThat(key.record().bar()).isPresent();
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.RELEASED, token(3)));
  }

  @Test
  void aTimedClosureCanBecomeOneUntilAnOperatorActs() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertThat(key.send(revoke(Reopening.BY_OPERATOR, "r3")))
        .isEqualTo(new Outcome.Revoked(token(3)));
    assertThat(key.record().closure()).contains(FOR_GOOD);
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.REVOKED, token(3)));
  }

  @Test
  void aTimedClosureThatIsOverIsNothingToRevoke() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));
    key.pass(TTL);

    assertThat(key.send(revoke(Reopening.NOW, "r3"))).isEqualTo(new Outcome.Free());
    key.assertNothingWritten();
  }

  @Test
  void aRepeatIsToldTheSameTokenAndDoneOnce() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));
    key.pass(TTL);
    key.grant(ANNA);

    assertThat(key.send(revoke(Reopening.NOW, "r2"))).isEqualTo(new Outcome.Revoked(token(2)));
    key.assertNothingWritten();
    assertThat(key.grant().isCurrent()).isTrue();
  }

  @Test
  void anotherOperatorUnderTheSameRequestIdRepeatsNothing() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));
    key.pass(TTL);
    key.grant(ANNA);
    Command.Revoke others =
        new Command.Revoke(
            KEY, new Operator("omar"), new Explanation("x"), Reopening.NOW, new RequestId("r2"));

    assertThat(key.send(others)).isEqualTo(new Outcome.Revoked(token(4)));
  }

  @Test
  void aRevocationIsRememberedForItsOperatorWithTheVoidToken() {
    key.grant(ANNA);
    key.pass(1_000);
    key.send(revoke(Reopening.NOW, "r2"));

    Remembered.Request request =
        new Remembered.Request(
            new RequestId("r2"), new Caller.ByOperator(OLGA), Remembered.Verb.REVOKE);
    assertThat(key.effectOf(request)).contains(new Remembered(request, token(2), START + 1_000));
  }
}
