package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.OTHER_KEY;
import static dev.leasehold.testkit.contract.Cast.TTL;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.handOver;
import static dev.leasehold.testkit.contract.Cast.nameOf;
import static dev.leasehold.testkit.contract.Cast.release;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
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
    return Await.answer(bench.store().suspectedRollbacks());
  }

  @Test
  void the_end_of_a_tokens_own_grant_is_named_also_after_others_followed() {
    Token first = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(release(ANN, first, "r2"), Outcome.Released.class);
    Token second = bench.granted(acquire(ANN, "r3")).token();
    bench.apply(revoke(Command.Reopening.NOW, "v1"), Outcome.Revoked.class);
    Token third = bench.granted(acquire(BOB, "r4")).token();
    bench.pass(TTL);
    Token fourth = bench.granted(acquire(Cast.EVE, "r5")).token();
    assertThat(bench.apply(renew(ANN, first)))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
    assertThat(bench.apply(renew(ANN, second)))
        .isEqualTo(new Outcome.Lost(new LossReason.Revoked("olga", Cast.WHY.text())));
    assertThat(bench.apply(renew(BOB, third)))
        .isEqualTo(new Outcome.Lost(new LossReason.Superseded(nameOf(Cast.EVE), fourth)));
  }

  @Test
  void as_many_endings_are_remembered_as_the_limits_say_and_older_ones_are_superseded_or_known() {
    Token oldest = bench.granted(acquire(ANN, "r-oldest")).token();
    bench.apply(release(ANN, oldest, "e-oldest"), Outcome.Released.class);
    Token last = oldest;
    for (int i = 1; i <= bench.limits().endingsKept(); i++) {
      last = bench.granted(acquire(ANN, "r" + i)).token();
      assertThat(bench.apply(renew(ANN, oldest)))
          .isEqualTo(new Outcome.Lost(new LossReason.Released()));
      bench.apply(release(ANN, last, "e" + i), Outcome.Released.class);
    }
    Token latest = bench.granted(acquire(BOB, "r-latest")).token();
    assertThat(bench.apply(renew(ANN, oldest)))
        .isIn(
            new Outcome.Lost(new LossReason.Released()),
            new Outcome.Lost(new LossReason.Superseded(nameOf(BOB), latest)));
    assertThat(bench.apply(renew(ANN, last)))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
  }

  @Test
  void a_token_for_a_key_without_a_record_is_unknown_and_makes_none() {
    Token invented = Token.of(Token.MAX_INCARNATION, 7);
    int days = (int) Duration.ofMillis(START - 1_735_689_600_000L).toDays();
    Outcome unknown = unknownAfter(Token.of(days, 0));
    assertThat(bench.apply(renew(ANN, invented))).isEqualTo(unknown);
    assertThat(bench.apply(release(ANN, invented, "r1"))).isEqualTo(unknown);
    assertThat(bench.apply(handOver(ANN, invented, BOB, "h1"))).isEqualTo(unknown);
    assertThat(bench.read(KEY)).isEmpty();
  }

  @Test
  void a_token_above_the_record_is_unknown_closes_nothing_and_is_listed() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    LeaseRecord before = bench.record(KEY);
    Token above = token.next(token.incarnation());
    bench.pass(A_MOMENT);
    assertThat(bench.apply(renew(ANN, above))).isEqualTo(unknownAfter(token));
    assertThat(bench.apply(release(ANN, above, "r2"))).isEqualTo(unknownAfter(token));
    assertThat(bench.apply(handOver(ANN, above, BOB, "h1"))).isEqualTo(unknownAfter(token));
    assertThat(bench.record(KEY)).isEqualTo(before);
    bench.apply(renew(ANN, token), Outcome.Renewed.class);
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
    Token low = bench.granted(acquire(ANN, "r1")).token();
    Token high = low;
    for (int i = 0; i < 3; i++) {
      high = bench.granted(acquire(OTHER_KEY, ANN, "o" + i)).token();
      Command release = new Command.Release(OTHER_KEY, high, ANN, Cast.request("e" + i));
      bench.apply(release, Outcome.Released.class);
    }
    assertThat(high).isGreaterThan(low);
    assertThat(bench.apply(renew(ANN, high))).isEqualTo(unknownAfter(low));
    assertThat(suspected().count()).isEqualTo(1);
    bench.apply(renew(ANN, low), Outcome.Renewed.class);
  }

  @Test
  void what_was_issued_is_no_suspicion_whether_void_old_or_anothers() {
    Token first = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(renew(BOB, first), Outcome.Lost.class);
    Token voidToken =
        bench.apply(revoke(Command.Reopening.NOW, "v1"), Outcome.Revoked.class).token();
    bench.apply(renew(ANN, voidToken), Outcome.Lost.class);
    bench.granted(acquire(BOB, "r2"));
    bench.apply(renew(ANN, voidToken), Outcome.Lost.class);
    bench.apply(renew(ANN, first), Outcome.Lost.class);
    assertThat(suspected()).isEqualTo(new SuspectedRollbacks(0, List.of()));
  }

  @Test
  void the_latest_suspicions_are_listed_newest_first_and_all_are_counted() {
    int more = SuspectedRollbacks.KEPT + 5;
    for (int i = 1; i <= more; i++) {
      bench.apply(renew(ANN, Token.of(Token.MAX_INCARNATION, i)), Outcome.Lost.class);
    }
    SuspectedRollbacks suspected = suspected();
    assertThat(suspected.count()).isEqualTo(more);
    assertThat(suspected.latest()).hasSize(SuspectedRollbacks.KEPT);
    assertThat(suspected.latest().getFirst().brought().counter()).isEqualTo(more);
    assertThat(suspected.latest().getLast().brought().counter()).isEqualTo(6);
  }
}
