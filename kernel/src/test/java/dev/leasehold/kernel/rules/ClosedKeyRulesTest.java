package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Outcome;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When no instance, or not a certain instance, can acquire a key. */
class ClosedKeyRulesTest {
  private static final String WHY = "it writes nonsense";
  private static final String ADVANCED =
      "the incarnation was advanced, or the store made anew, and holders from before may still"
          + " trust their leases";

  private final OneKey key = new OneKey();

  private static Outcome closed(String reason, long remainingMillis) {
    return new Outcome.Closed(reason, OptionalLong.of(remainingMillis));
  }

  @Test
  void aTimedClosureIsClosedToEveryCallerUntilItsMillisecond() {
    key.grant(ANNA);
    key.pass(10_000);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertThat(key.send(BEN.acquire("r3"))).isEqualTo(closed(WHY, TTL - 10_000));
    key.assertNothingWritten();
    key.pass(TTL - 10_001);
    assertThat(key.send(BEN.acquire("r3"))).isEqualTo(closed(WHY, 1));
    key.pass(1);
    assertThat(key.grant(BEN)).isEqualTo(token(3));
  }

  @Test
  void aKeyClosedUntilAnOperatorActsHasNoRemaining() {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));
    key.pass(1_000 * TTL);

    assertThat(key.send(BEN.acquire("r2")))
        .isEqualTo(new Outcome.Closed(WHY, OptionalLong.empty()));
  }

  @Test
  void aBarredInstanceIsRefusedToTheMillisecond() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));

    assertThat(key.send(ANNA.acquire("r3"))).isEqualTo(closed(WHY, TTL));
    key.pass(TTL - 1);
    assertThat(key.send(ANNA.acquire("r3"))).isEqualTo(closed(WHY, 1));
    key.assertNothingWritten();
    key.pass(1);
    assertThat(key.grant(ANNA)).isEqualTo(token(3));
  }

  @Test
  void anotherInstanceIsNotBarred() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));

    assertThat(key.grant(BEN)).isEqualTo(token(3));
  }

  @Test
  void aBarIsToldBeforeTheGrantOfAnotherHolder() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));
    key.grant(BEN);

    assertThat(key.send(ANNA.acquire("r3"))).isEqualTo(closed(WHY, TTL));
  }

  @Test
  void aClosureIsToldBeforeABar() {
    key.grant(ANNA);
    key.send(revoke(Reopening.BY_OPERATOR, "r2"));

    assertThat(key.send(ANNA.acquire("r3")))
        .isEqualTo(new Outcome.Closed(WHY, OptionalLong.empty()));
  }

  @Test
  void nothingIsGrantedDuringTheHoldOffOfAnAdvance() {
    key.advanceTo(INCARNATION + 1, 30_000);

    assertThat(key.send(ANNA.acquire("r1"))).isEqualTo(closed(ADVANCED, 30_000));
    key.pass(29_999);
    assertThat(key.send(ANNA.acquire("r1"))).isEqualTo(closed(ADVANCED, 1));
    key.assertNothingWritten();
    key.pass(1);
    assertThat(key.grant(ANNA)).isEqualTo(Token.of(INCARNATION + 1, 1));
  }

  @Test
  void aHoldOffIsToldBeforeAClosure() {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));
    key.advanceTo(INCARNATION + 1, 30_000);

    assertThat(key.send(ANNA.acquire("r2"))).isEqualTo(closed(ADVANCED, 30_000));
  }
}
