package dev.leasehold.testkit.contract;

import static dev.leasehold.kernel.spi.Command.Reopening.AT_EXPIRY;
import static dev.leasehold.kernel.spi.Command.Reopening.BY_OPERATOR;
import static dev.leasehold.kernel.spi.Command.Reopening.NOW;
import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.OPERATOR;
import static dev.leasehold.testkit.contract.Cast.TTL;
import static dev.leasehold.testkit.contract.Cast.WHY;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.handOver;
import static dev.leasehold.testkit.contract.Cast.release;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.reopen;
import static dev.leasehold.testkit.contract.Cast.revoke;
import static dev.leasehold.testkit.contract.Cast.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Bar;
import dev.leasehold.kernel.Closure;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I2, I3, I8: what an operator takes away, and when the key can be had again. */
abstract class RevokingContract extends LeaseGroup {
  private static final LossReason REVOKED = new LossReason.Revoked(OPERATOR.name(), WHY.text());
  private static final Outcome LOST = new Outcome.Lost(REVOKED);

  private static Outcome closedFor(long millis) {
    return new Outcome.Closed(WHY.text(), OptionalLong.of(millis));
  }

  private static final Outcome CLOSED_FOR_GOOD =
      new Outcome.Closed(WHY.text(), OptionalLong.empty());

  @ParameterizedTest
  @EnumSource
  void a_revoked_grant_is_over_at_once_under_a_void_token(Command.Reopening reopening) {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(A_MOMENT);
    Token voidToken = grant.token().next(grant.token().incarnation());
    assertThat(bench.apply(revoke(reopening, "v1"))).isEqualTo(new Outcome.Revoked(voidToken));
    assertThat(bench.latestGrant(KEY))
        .isEqualTo(grant.withStanding(new Standing.Ended(REVOKED, bench.now())));
    assertThat(bench.record(KEY).last()).isEqualTo(voidToken);
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(LOST);
    assertThat(bench.apply(release(ANN, grant.token(), "r2"))).isEqualTo(LOST);
    assertThat(bench.apply(handOver(ANN, grant.token(), BOB, "h1"))).isEqualTo(LOST);
    assertThat(bench.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(grant.token(), REVOKED));
  }

  @ParameterizedTest
  @EnumSource
  void the_void_token_belongs_to_nobody(Command.Reopening reopening) {
    bench.granted(acquire(ANN, "r1"));
    Token voidToken = bench.apply(revoke(reopening, "v1"), Outcome.Revoked.class).token();
    assertThat(bench.apply(renew(ANN, voidToken)))
        .isEqualTo(new Outcome.Lost(LossReason.Unknown.after(voidToken)));
  }

  @Test
  void the_key_stays_closed_until_the_revoked_grant_would_have_expired() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(Duration.ofSeconds(4));
    Token voidToken = bench.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class).token();
    assertThat(bench.record(KEY).closure())
        .contains(new Closure(WHY.text(), OptionalLong.of(grant.expiresAtMillis())));
    assertThat(bench.apply(acquire(BOB, "r2"))).isEqualTo(closedFor(6_000));
    bench.setClock(grant.expiresAtMillis() - 1);
    assertThat(bench.apply(acquire(BOB, "r2"))).isEqualTo(closedFor(1));
    bench.setClock(grant.expiresAtMillis());
    assertThat(bench.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
    assertThat(bench.record(KEY).closure()).isEmpty();
  }

  @Test
  void revoked_now_it_opens_at_once_to_all_but_the_revoked() {
    bench.granted(acquire(ANN, "r1"));
    Token voidToken = bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class).token();
    assertThat(bench.record(KEY).closure()).isEmpty();
    assertThat(bench.apply(acquire(ANN, "r2"))).isEqualTo(closedFor(Limits.MIN_BAR_MILLIS));
    assertThat(bench.granted(acquire(BOB, "r3")).token()).isGreaterThan(voidToken);
  }

  @Test
  void closed_by_an_operator_it_stays_closed_until_an_operator_reopens_it() {
    bench.granted(acquire(ANN, "r1"));
    Token voidToken = bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class).token();
    bench.pass(Duration.ofDays(3));
    assertThat(bench.apply(acquire(BOB, "r2"))).isEqualTo(CLOSED_FOR_GOOD);
    bench.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(bench.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
  }

  @Test
  void the_revoked_instance_is_barred_for_thirty_seconds_or_its_ttl() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    long until = START + Limits.MIN_BAR_MILLIS;
    assertThat(bench.record(KEY).bar()).contains(new Bar(ANN.id(), WHY.text(), until));
    bench.setClock(until - 1);
    assertThat(bench.apply(acquire(ANN, "r2"))).isEqualTo(closedFor(1));
    bench.setClock(until);
    assertThat(bench.granted(acquire(ANN, "r2")).token()).isGreaterThan(grant.token());
  }

  @Test
  void a_long_ttl_bars_for_as_long() {
    long longMillis = 90_000;
    bench.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(longMillis)));
    bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    bench.pass(Duration.ofMillis(longMillis - 1));
    assertThat(bench.apply(acquire(ANN, "r2"))).isEqualTo(closedFor(1));
  }

  @Test
  void a_barred_instance_cannot_come_back_as_an_heir_and_the_giver_keeps_the_grant() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    Grant bobs = bench.granted(acquire(BOB, "r2"));
    assertThat(bench.apply(handOver(BOB, bobs.token(), ANN, "h1")))
        .isEqualTo(closedFor(Limits.MIN_BAR_MILLIS));
    assertThat(bench.latestGrant(KEY)).isEqualTo(bobs);
  }

  @Test
  void an_expired_grant_that_is_revoked_leaves_the_key_open() {
    bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    bench.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class);
    bench.granted(acquire(BOB, "r2"));
  }

  @Test
  void a_free_key_has_nothing_to_revoke_and_gets_no_record() {
    bench.apply(revoke(AT_EXPIRY, "v1"), Outcome.Free.class);
    bench.apply(revoke(NOW, "v2"), Outcome.Free.class);
    assertThat(bench.read(KEY)).isEmpty();
  }

  @Test
  void a_free_key_can_be_closed_before_anybody_takes_it() {
    bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    assertThat(bench.apply(acquire(BOB, "r1"))).isEqualTo(CLOSED_FOR_GOOD);
    bench.apply(revoke(BY_OPERATOR, "v2"), Outcome.Free.class);
  }

  @Test
  void neither_now_nor_at_expiry_lifts_what_an_operator_closed() {
    bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    bench.apply(revoke(NOW, "v2"), Outcome.Free.class);
    bench.apply(revoke(AT_EXPIRY, "v3"), Outcome.Free.class);
    assertThat(bench.apply(acquire(BOB, "r1"))).isEqualTo(CLOSED_FOR_GOOD);
  }

  @Test
  void now_lifts_a_closure_that_would_have_ended_by_itself() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class);
    bench.apply(revoke(NOW, "v2"), Outcome.Revoked.class);
    bench.granted(acquire(BOB, "r2"));
  }

  @Test
  void a_revocation_that_is_sent_again_gives_the_same_token_and_spares_a_later_grant() {
    bench.granted(acquire(ANN, "r1"));
    Outcome first = bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    Grant bobs = bench.granted(acquire(BOB, "r2"));
    assertThat(bench.apply(revoke(NOW, "v1"))).isEqualTo(first);
    assertThat(bench.latestGrant(KEY)).isEqualTo(bobs);
  }

  @Test
  void the_same_request_by_another_operator_is_another_request() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    bench.granted(acquire(BOB, "r2"));
    Operator other = new Operator("otto");
    bench.apply(
        new Command.Revoke(KEY, other, WHY, NOW, Cast.request("v1")), Outcome.Revoked.class);
    assertThat(bench.record(KEY).currentGrant()).isEmpty();
  }

  @Test
  void an_open_key_is_not_reopened() {
    bench.apply(reopen("o1"), Outcome.NotClosed.class);
    assertThat(bench.read(KEY)).isEmpty();
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.apply(reopen("o1"), Outcome.NotClosed.class);
    assertThat(bench.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void reopening_leaves_a_closure_alone_that_ends_by_itself() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class);
    bench.apply(reopen("o1"), Outcome.NotClosed.class);
    bench.apply(acquire(BOB, "r2"), Outcome.Closed.class);
  }

  @Test
  void reopening_keeps_the_key_closed_while_the_revoked_holder_may_still_trust() {
    Grant revoked = bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    bench.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(bench.record(KEY).closure().orElseThrow().untilMillis())
        .hasValue(revoked.expiresAtMillis());
    bench.pass(Cast.TTL);
    bench.granted(acquire(BOB, "r2"));
  }

  @Test
  void reopening_opens_the_key_to_all_but_the_revoked() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    bench.pass(Cast.TTL);
    bench.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(bench.apply(acquire(ANN, "r2")))
        .isEqualTo(closedFor(Limits.MIN_BAR_MILLIS - Cast.TTL.toMillis()));
    bench.granted(acquire(BOB, "r3"));
  }

  @Test
  void a_reopening_that_is_sent_again_does_not_lift_a_later_closure() {
    bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    bench.apply(reopen("o1"), Outcome.Reopened.class);
    bench.apply(revoke(BY_OPERATOR, "v2"), Outcome.Revoked.class);
    LeaseRecord before = bench.record(KEY);
    bench.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(bench.record(KEY)).isEqualTo(before);
  }
}
