package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.CLEO;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.START;
import static dev.leasehold.kernel.rules.OneKey.change;
import static dev.leasehold.kernel.rules.OneKey.lost;
import static dev.leasehold.kernel.rules.OneKey.supersededBy;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Handing a grant over, so that the key is never free in between. */
class HandOverRulesTest {
  private static final HolderInfo INFO =
      HolderInfo.named("anna").withPurpose("outbox").withRegion("eu").withAttribute("v", "7");
  private static final Terms TERMS = new Terms(INFO, TTL, new StallLimit(600_000));

  private final OneKey key = new OneKey();
  private final Token token = key.grant(ANNA.acquire("r1", TERMS));
  private final Command.HandOver handOver = ANNA.hands(token, "r2").to(BEN);

  @Test
  void theHeirHasTheKeyUnderTheNextTokenForAWholeTtl() {
    key.send(ANNA.renewAt(token, 9));
    key.pass(10_000);

    assertThat(key.send(handOver)).isEqualTo(new Outcome.HandedOver(token(2)));
    HolderInfo heir = new HolderInfo("ben", "outbox", "", Map.of("v", "7"));
    long now = START + 10_000;
    assertThat(key.grant())
        .isEqualTo(
            new Grant(
                token(2),
                BEN.id(),
                new RequestId("r2"),
                new Terms(heir, TTL, new StallLimit(600_000)),
                now,
                now,
                now + TTL,
                new Progress(0, now),
                Standing.OPEN));
    assertThat(key.record().last()).isEqualTo(token(2));
  }

  @Test
  void theGiverIsSupersededFromThenOn() {
    key.send(handOver);

    LossReason superseded = supersededBy(BEN, token(2));
    assertThat(key.send(ANNA.renew(token))).isEqualTo(lost(superseded));
    assertThat(key.send(ANNA.release(token, "r3"))).isEqualTo(lost(superseded));
    assertThat(key.send(ANNA.hands(token, "r4").to(CLEO))).isEqualTo(lost(superseded));
  }

  @Test
  void theHeirCanRenewAndTheFormerHolderCannot() {
    key.send(handOver);

    assertThat(key.send(BEN.renew(token(2)))).isEqualTo(new Outcome.Renewed(TTL));
    assertThat(key.send(ANNA.renew(token(2)))).isEqualTo(lost(new LossReason.NotHolder()));
  }

  @Test
  void bothGrantsAreToldOf() {
    key.send(handOver);

    assertThat(key.told())
        .containsExactly(
            change(LeaseChange.Kind.SUPERSEDED, token), change(LeaseChange.Kind.GRANTED, token(2)));
  }

  @Test
  void aRepeatIsToldTheSameTokenAndDoneOnce() {
    key.send(handOver);
    key.send(BEN.release(token(2), "r3"));

    assertThat(key.send(handOver)).isEqualTo(new Outcome.HandedOver(token(2)));
    key.assertNothingWritten();
  }

  @Test
  void aHandOverIsRememberedForTheGiverWithTheHeirsToken() {
    key.pass(1_000);
    key.send(handOver);

    Remembered.Request request =
        new Remembered.Request(
            new RequestId("r2"), new Caller.Holder(ANNA.id()), Remembered.Verb.HAND_OVER);
    assertThat(key.effectOf(request)).contains(new Remembered(request, token(2), START + 1_000));
  }

  @Test
  void anExpiredGrantThatIsStillCurrentCanBeHandedOver() {
    key.pass(TTL);

    assertThat(key.send(handOver)).isEqualTo(new Outcome.HandedOver(token(2)));
    assertThat(key.grant().isUnexpired(key.now())).isTrue();
  }

  @Test
  void theGrantOfAnotherHolderCannotBeHandedOver() {
    assertThat(key.send(BEN.hands(token, "r2").to(CLEO)))
        .isEqualTo(lost(new LossReason.NotHolder()));
  }

  @Test
  void aBarredHeirIsRefusedAndTheGiverKeepsTheKey() {
    key.send(OneKey.revoke(Command.Reopening.NOW, "r2"));
    Token bens = key.grant(BEN);
    key.pass(1_000);

    assertThat(key.send(BEN.hands(bens, "r3").to(ANNA)))
        .isEqualTo(new Outcome.Closed("it writes nonsense", OptionalLong.of(TTL - 1_000)));
    key.assertNothingWritten();
    assertThat(key.send(BEN.renew(bens))).isEqualTo(new Outcome.Renewed(TTL));
  }

  @Test
  void aBarDoesNotStopAnotherHeir() {
    key.send(OneKey.revoke(Command.Reopening.NOW, "r2"));
    Token bens = key.grant(BEN);

    assertThat(key.send(BEN.hands(bens, "r3").to(CLEO)))
        .isEqualTo(new Outcome.HandedOver(token(4)));
    assertThat(key.record().bar()).isPresent();
  }
}
