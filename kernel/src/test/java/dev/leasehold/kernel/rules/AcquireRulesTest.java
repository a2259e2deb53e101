package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.supersededBy;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which acquires of a key that is not closed are granted. */
class AcquireRulesTest {
  private final OneKey key = new OneKey();

  @Test
  void aFreeKeyIsGrantedForTheWholeTtl() {
    Outcome outcome = key.send(ANNA.acquire("r1"));

    Grant grant =
        new Grant(
            token(1),
            ANNA.id(),
            new RequestId("r1"),
            ANNA.terms(TTL),
            START,
            START,
            START + TTL,
            new Progress(0, START),
            Standing.OPEN);
    assertThat(outcome).isEqualTo(new Outcome.Granted(grant, TTL));
    assertThat(key.record().grant()).contains(grant);
    assertThat(key.record().last()).isEqualTo(token(1));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.GRANTED, token(1)));
  }

  @Test
  void aGrantCarriesTheTermsThatWereAskedFor() {
    HolderInfo info =
        HolderInfo.named("anna").withPurpose("recovery").withRegion("eu").withAttribute("v", "7");
    Terms terms = new Terms(info, 5_000, new StallLimit(60_000));

    key.grant(ANNA.acquire("r1", terms));

    assertThat(key.grant().terms()).isEqualTo(terms);
    assertThat(key.grant().expiresAtMillis()).isEqualTo(START + 5_000);
  }

  @Test
  void anUnexpiredGrantIsHeldAndTellsWhoHasItForHowLong() {
    Token token = key.grant(ANNA);
    key.pass(10_000);

    Outcome outcome = key.send(BEN.acquire("r2"));

    assertThat(outcome).isEqualTo(new Outcome.Held("anna", ANNA.id(), token, TTL - 10_000));
    key.assertNothingWritten();
  }

  @Test
  void itsHolderIsToldTheSameUnderAnotherRequest() {
    Token token = key.grant(ANNA);

    assertThat(key.send(ANNA.acquire("another")))
        .isEqualTo(new Outcome.Held("anna", ANNA.id(), token, TTL));
  }

  @Test
  void aGrantIsHeldToItsLastMillisecond() {
    key.grant(ANNA);
    key.pass(TTL - 1);

    assertThat(key.send(BEN.acquire("r2")))
        .isEqualTo(new Outcome.Held("anna", ANNA.id(), token(1), 1));
  }

  @Test
  void aGrantThatHasRunOutIsTakenOverAtTheVeryMillisecond() {
    key.grant(ANNA);
    key.pass(TTL);

    assertThat(key.grant(BEN)).isEqualTo(token(2));
    assertThat(key.grant().grantedAtMillis()).isEqualTo(START + TTL);
    assertThat(key.grant().instanceId()).isEqualTo(BEN.id());
  }

  @Test
  void aTakeoverTellsOfTheOldGrantAndThenOfTheNewOne() {
    key.grant(ANNA);
    key.pass(TTL);
    key.grant(BEN);

    assertThat(key.told())
        .containsExactly(
            change(LeaseChange.Kind.SUPERSEDED, token(1)),
            change(LeaseChange.Kind.GRANTED, token(2)));
    assertThat(key.endOf(token(1))).contains(supersededBy(BEN, token(2)));
  }

  @Test
  void aReleasedKeyIsGrantedAtOnceWithTheNextToken() {
    key.send(ANNA.release(key.grant(ANNA), "r2"));

    assertThat(key.grant(BEN)).isEqualTo(token(2));
    assertThat(key.told()).containsExactly(change(LeaseChange.Kind.GRANTED, token(2)));
  }

  @Test
  void aKeyWithoutARecordStartsAboveItsBucketsFloor() {
    key.startAbove(token(41));

    assertThat(key.grant(ANNA)).isEqualTo(token(42));
  }

  @Test
  void aClosureAndABarThatAreOverAreClearedAway() {
    key.grant(ANNA);
    key.send(OneKey.revoke(Command.Reopening.AT_EXPIRY, "r2"));
    key.pass(TTL);
    key.grant(BEN);

    assertThat(key.record().closure()).isEqualTo(Optional.<Closure>empty());
    assertThat(key.record().bar()).isEmpty();
  }

  @Test
  void aBarInForceOutlastsTheNextGrant() {
    key.grant(ANNA);
    key.send(OneKey.revoke(Command.Reopening.NOW, "r2"));
    key.pass(TTL - 1);
    key.grant(BEN);

    assertThat(key.record().bar()).isPresent();
  }
}
