package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.CLEO;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.lost;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.supersededBy;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every loss has a reason: the answers to a caller whose token is not, or no longer, that of its
 * own current grant.
 */
class OldTokenRulesTest {
  private final OneKey key = new OneKey();

  /** All three commands of a holder are told the same, and none of them writes. */
  private void assertAllLost(Token token, LossReason reason) {
    List<Command> commands =
        List.of(ANNA.renew(token), ANNA.release(token, "late"), ANNA.hands(token, "late").to(CLEO));
    for (Command command : commands) {
      assertThat(key.send(command)).as("%s", command).isEqualTo(lost(reason));
      key.assertNothingWritten();
    }
  }

  @Test
  void aTakenOverGrantWasSuperseded() {
    Token old = key.grant(ANNA);
    key.pass(TTL);
    key.grant(BEN);

    assertAllLost(old, supersededBy(BEN, token(2)));
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void aReleasedGrantWasReleased() {
    Token old = key.grant(ANNA);
    key.send(ANNA.release(old, "r2"));

    assertAllLost(old, new LossReason.Released());
  }

  @Test
  void aRevokedGrantWasRevokedByNameAndReason() {
    Token old = key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));

    assertAllLost(old, OneKey.revokedByOlga());
  }

  @Test
  void aGrantOfAnEarlierIncarnationEndedWithTheAdvance() {
    Token old = key.grant(ANNA);
    key.advanceTo(INCARNATION + 1, 0);

    assertAllLost(old, new LossReason.IncarnationAdvanced());
  }

  @Test
  void theEndOfAnEarlierGrantIsToldWhileItIsRemembered() {
    Token released = key.grant(ANNA);
    key.send(ANNA.release(released, "r2"));
    Token revoked = key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r4"));
    key.pass(TTL);
    Token advanced = key.grant(ANNA);
    key.advanceTo(INCARNATION + 1, 0);
    key.grant(BEN);

    assertAllLost(released, new LossReason.Released());
    assertAllLost(revoked, OneKey.revokedByOlga());
    assertAllLost(advanced, new LossReason.IncarnationAdvanced());
  }

  @Test
  void anEndThatIsForgottenIsToldAsSupersededByTheLatest() {
    Token old = key.grant(ANNA);
    key.send(ANNA.release(old, "r2"));
    key.grant(BEN);
    key.forgetAll();

    assertAllLost(old, supersededBy(BEN, token(2)));
  }

  @Test
  void theLatestEndIsOnRecordAndCannotBeForgotten() {
    Token old = key.grant(ANNA);
    key.send(ANNA.release(old, "r2"));
    key.forgetAll();

    assertAllLost(old, new LossReason.Released());
  }

  @Test
  void aVoidTokenBelongsToNoGrantButWasIssued() {
    key.grant(ANNA);
    Outcome.Revoked revoked = (Outcome.Revoked) key.send(revoke(Reopening.NOW, "r2"));

    assertAllLost(revoked.token(), LossReason.Unknown.after(revoked.token()));
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void aTokenAboveTheRecordIsUnknownAndSuspect() {
    key.grant(ANNA);

    assertAllLost(token(2), LossReason.Unknown.after(token(1)));
    assertThat(key.last().unissued()).contains(token(2));
    assertThat(key.send(ANNA.renew(token(2)))).isEqualTo(lost(LossReason.Unknown.after(token(1))));
    assertThat(key.last().unissued()).contains(token(2));
  }

  @Test
  void withoutARecordATokenAboveTheFloorIsSuspect() {
    key.startAbove(token(7));

    assertAllLost(token(8), LossReason.Unknown.after(token(7)));
    assertThat(key.last().unissued()).contains(token(8));
  }

  @Test
  void withoutARecordATokenUpToTheFloorIsOnlyUnknown() {
    key.startAbove(token(7));

    assertAllLost(token(7), LossReason.Unknown.after(token(7)));
    assertThat(key.last().unissued()).isEmpty();
  }

  @Test
  void anotherInstanceIsNotToldHowAGrantEnded() {
    Token old = key.grant(BEN);
    key.send(BEN.release(old, "r2"));

    assertAllLost(old, new LossReason.NotHolder());
  }

  @Test
  void whatTheStoreSendsToItselfIsToldTheSame() {
    Token old = key.grant(ANNA);
    key.send(ANNA.release(old, "r2"));

    assertThat(key.send(new Command.EndStalled(KEY, old)))
        .isEqualTo(lost(new LossReason.Released()));
    key.assertNothingWritten();
  }
}
