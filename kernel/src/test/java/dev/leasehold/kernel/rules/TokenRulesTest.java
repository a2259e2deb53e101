package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.CLEO;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Token;
import dev.leasehold.fence.TokenExhaustedException;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens of a key strictly increase, in any history of the key, and never wrap around. */
class TokenRulesTest {
  private final OneKey key = new OneKey();

  @Test
  void tokensStrictlyIncreaseAcrossEverything() {
    List<Token> issued = new ArrayList<>();
    issued.add(key.grant(ANNA.acquire("r1")));
    key.send(ANNA.abandon("r1"));
    issued.add(key.grant(ANNA));
    key.send(ANNA.hands(issued.getLast(), "r2").to(BEN));
    issued.add(key.grant().token());
    key.send(BEN.release(issued.getLast(), "r3"));
    issued.add(key.grant(ANNA));
    issued.add(((Outcome.Revoked) key.send(revoke(Reopening.NOW, "r4"))).token());
    issued.add(key.grant(CLEO.acquire("r5", CLEO.terms(TTL).withStallLimit(new StallLimit(1)))));
    key.pass(1);
    key.send(new Command.EndStalled(KEY, issued.getLast()));
    issued.add(key.record().last());
    key.pass(TTL);
    issued.add(key.grant(BEN));
    key.pass(TTL + Limits.MIN_MEMORY_MILLIS);
    key.send(new Command.Purge(KEY, 0));
    assertThat(key.record().isBlank()).isTrue();
    issued.add(key.grant(ANNA));
    key.stepClockBack(1_000_000);
    key.advanceTo(INCARNATION + 3, 0);
    issued.add(key.grant(BEN));
    key.send(BEN.release(issued.getLast(), "r6"));
    issued.add(key.grant(ANNA));

    assertThat(issued).isSorted().doesNotHaveDuplicates().hasSize(11);
  }

  @Test
  void aKeyWhoseCounterIsUsedUpIsNeverPurgedSinceItsFloorWouldStopItsWholeBucket() {
    key.startAbove(Token.of(INCARNATION, Token.MAX_COUNTER - 1));
    key.send(ANNA.release(key.grant(ANNA), "r2"));
    key.pass(TTL + Limits.MIN_MEMORY_MILLIS);

    assertThat(key.send(new Command.Purge(KEY, 0))).isEqualTo(new Outcome.Kept());
  }

  @Test
  void aKeyWhoseCounterIsUsedUpStopsBeforeItWouldWrapAround() {
    Token beforeLast = Token.of(INCARNATION, Token.MAX_COUNTER - 1);
    key.startAbove(beforeLast);
    Token last = key.grant(ANNA.acquire("r1", ANNA.terms(TTL).withStallLimit(new StallLimit(1))));
    key.pass(1);

    List<Command> needANewToken =
        List.of(
            ANNA.hands(last, "r2").to(BEN),
            revoke(Reopening.NOW, "r3"),
            new Command.EndStalled(KEY, last));
    assertThat(needANewToken)
        .allSatisfy(
            command ->
                assertThatThrownBy(() -> key.send(command))
                    .isInstanceOf(TokenExhaustedException.class)
                    .hasMessageContaining(last.toString()));
    key.send(ANNA.release(last, "r4"));
    assertThatThrownBy(() -> key.send(BEN.acquire("r5")))
        .isInstanceOf(TokenExhaustedException.class);
    assertThat(key.record().last()).isEqualTo(last);
  }

  @Test
  void aHigherIncarnationDoesNotBringAUsedUpCounterBack() {
    key.startAbove(Token.of(INCARNATION, Token.MAX_COUNTER));
    key.advanceTo(INCARNATION + 1, 0);

    assertThatThrownBy(() -> key.send(BEN.acquire("r1")))
        .isInstanceOf(TokenExhaustedException.class);
  }
}
