package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.OTHER_KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.nameOf;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.testkit.suite.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lost always says why, and a token from nowhere changes nothing but a count. */
abstract class LosingContract extends LeaseGroup {
  private static Outcome unknownAfter(Token last) {
    return new Outcome.Lost(LossReason.Unknown.after(last));
  }

  private SuspectedRollbacks suspected() {
    return Await.answer(fixture.store().suspectedRollbacks());
  }

  @Test
  void the_end_of_a_tokens_own_grant_is_named_also_after_others_followed() {
    Token first = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(release(ANN, first, "r2"), Outcome.Released.class);
    Token second = fixture.granted(acquire(ANN, "r3")).token();
    fixture.apply(revoke(Command.Reopening.NOW, "v1"), Outcome.Revoked.class);
    Token third = fixture.granted(acquire(BOB, "r4")).token();
    fixture.pass(TTL);
    Token fourth = fixture.granted(acquire(ContractCallers.EVE, "r5")).token();
    assertThat(fixture.apply(renew(ANN, first)))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
    assertThat(fixture.apply(renew(ANN, second)))
        .isEqualTo(new Outcome.Lost(new LossReason.Revoked("olga", ContractCallers.WHY.text())));
    assertThat(fixture.apply(renew(BOB, third)))
        .isEqualTo(
            new Outcome.Lost(new LossReason.Superseded(nameOf(ContractCallers.EVE), fourth)));
  }

  @Test
  void as_many_endings_are_remembered_as_the_limits_say_and_older_ones_are_superseded_or_known() {
    Token oldest = fixture.granted(acquire(ANN, "r-oldest")).token();
    fixture.apply(release(ANN, oldest, "e-oldest"), Outcome.Released.class);
    Token last = oldest;
    for (int i = 1; i <= fixture.limits().endingsKept(); i++) {
      last = fixture.granted(acquire(ANN, "r" + i)).token();
      assertThat(fixture.apply(renew(ANN, oldest)))
          .isEqualTo(new Outcome.Lost(new LossReason.Released()));
      fixture.apply(release(ANN, last, "e" + i), Outcome.Released.class);
    }
    Token latest = fixture.granted(acquire(BOB, "r-latest")).token();
    assertThat(fixture.apply(renew(ANN, oldest)))
        .isIn(
            new Outcome.Lost(new LossReason.Released()),
            new Outcome.Lost(new LossReason.Superseded(nameOf(BOB), latest)));
    assertThat(fixture.apply(renew(ANN, last)))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
  }

  @Test
  void a_token_for_a_key_without_a_record_is_unknown_and_makes_none() {
    Token invented = Token.of(Token.MAX_INCARNATION, 7);
    int days = (int) Duration.ofMillis(START - 1_735_689_600_000L).toDays();
    Outcome unknown = unknownAfter(Token.of(days, 0));
    assertThat(fixture.apply(renew(ANN, invented))).isEqualTo(unknown);
    assertThat(fixture.apply(release(ANN, invented, "r1"))).isEqualTo(unknown);
    assertThat(fixture.apply(handOver(ANN, invented, BOB, "h1"))).isEqualTo(unknown);
    assertThat(fixture.read(KEY)).isEmpty();
  }

  @Test
  void a_token_above_the_record_is_unknown_closes_nothing_and_is_listed() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    LeaseRecord before = fixture.record(KEY);
    Token above = token.next(token.incarnation());
    fixture.pass(A_MOMENT);
    assertThat(fixture.apply(renew(ANN, above))).isEqualTo(unknownAfter(token));
    assertThat(fixture.apply(release(ANN, above, "r2"))).isEqualTo(unknownAfter(token));
    assertThat(fixture.apply(handOver(ANN, above, BOB, "h1"))).isEqualTo(unknownAfter(token));
    assertThat(fixture.record(KEY)).isEqualTo(before);
    fixture.apply(renew(ANN, token), Outcome.Renewed.class);
    SuspectedRollbacks suspected = suspected();
    assertThat(suspected.count()).isEqualTo(3);
    assertThat(suspected.latest())
        .hasSize(3)
        .allSatisfy(
            one -> {
              assertThat(one.key()).isEqualTo(KEY);
              assertThat(one.brought()).isEqualTo(above);
              assertThat(one.last()).isEqualTo(token);
            });
  }

  @Test
  void another_keys_token_is_judged_by_this_keys_record() {
    Token low = fixture.granted(acquire(ANN, "r1")).token();
    Token high = low;
    for (int i = 0; i < 3; i++) {
      high = fixture.granted(acquire(OTHER_KEY, ANN, "o" + i)).token();
      Command release = new Command.Release(OTHER_KEY, high, ANN, ContractCallers.request("e" + i));
      fixture.apply(release, Outcome.Released.class);
    }
    assertThat(high).isGreaterThan(low);
    assertThat(fixture.apply(renew(ANN, high))).isEqualTo(unknownAfter(low));
    assertThat(suspected().count()).isEqualTo(1);
    fixture.apply(renew(ANN, low), Outcome.Renewed.class);
  }

  @Test
  void what_was_issued_is_no_suspicion_whether_void_old_or_anothers() {
    Token first = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(renew(BOB, first), Outcome.Lost.class);
    Token voidToken =
        fixture.apply(revoke(Command.Reopening.NOW, "v1"), Outcome.Revoked.class).token();
    fixture.apply(renew(ANN, voidToken), Outcome.Lost.class);
    fixture.granted(acquire(BOB, "r2"));
    fixture.apply(renew(ANN, voidToken), Outcome.Lost.class);
    fixture.apply(renew(ANN, first), Outcome.Lost.class);
    assertThat(suspected()).isEqualTo(new SuspectedRollbacks(0, List.of()));
  }

  @Test
  void the_latest_suspicions_are_listed_newest_first_and_all_are_counted() {
    int more = SuspectedRollbacks.KEPT + 5;
    for (int i = 1; i <= more; i++) {
      fixture.apply(renew(ANN, Token.of(Token.MAX_INCARNATION, i)), Outcome.Lost.class);
    }
    SuspectedRollbacks suspected = suspected();
    assertThat(suspected.count()).isEqualTo(more);
    assertThat(suspected.latest()).hasSize(SuspectedRollbacks.KEPT);
    assertThat(suspected.latest().getFirst().brought().counter()).isEqualTo(more);
    assertThat(suspected.latest().getLast().brought().counter()).isEqualTo(6);
  }
}
