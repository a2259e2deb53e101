package dev.leasehold.testkit.contract;

import static dev.leasehold.kernel.spi.Command.Reopening.AT_EXPIRY;
import static dev.leasehold.kernel.spi.Command.Reopening.BY_OPERATOR;
import static dev.leasehold.kernel.spi.Command.Reopening.NOW;
import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.OPERATOR;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.WHY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.reopen;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static dev.leasehold.testkit.contract.ContractCallers.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.Standing;
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
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(A_MOMENT);
    Token voidToken = grant.token().next(grant.token().incarnation());
    assertThat(fixture.apply(revoke(reopening, "v1"))).isEqualTo(new Outcome.Revoked(voidToken));
    assertThat(fixture.latestGrant(KEY))
        .isEqualTo(grant.withStanding(new Standing.Ended(REVOKED, fixture.now())));
    assertThat(fixture.record(KEY).last()).isEqualTo(voidToken);
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(LOST);
    assertThat(fixture.apply(release(ANN, grant.token(), "r2"))).isEqualTo(LOST);
    assertThat(fixture.apply(handOver(ANN, grant.token(), BOB, "h1"))).isEqualTo(LOST);
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(grant.token(), REVOKED));
  }

  @ParameterizedTest
  @EnumSource
  void the_void_token_belongs_to_no_holder(Command.Reopening reopening) {
    fixture.granted(acquire(ANN, "r1"));
    Token voidToken = fixture.apply(revoke(reopening, "v1"), Outcome.Revoked.class).token();
    assertThat(fixture.apply(renew(ANN, voidToken)))
        .isEqualTo(new Outcome.Lost(LossReason.Unknown.after(voidToken)));
  }

  @Test
  void the_key_stays_closed_until_the_revoked_grant_would_have_expired() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(Duration.ofSeconds(4));
    Token voidToken = fixture.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class).token();
    assertThat(fixture.record(KEY).closure())
        .contains(new Closure(WHY.text(), OptionalLong.of(grant.expiresAtMillis())));
    assertThat(fixture.apply(acquire(BOB, "r2"))).isEqualTo(closedFor(6_000));
    fixture.setClock(grant.expiresAtMillis() - 1);
    assertThat(fixture.apply(acquire(BOB, "r2"))).isEqualTo(closedFor(1));
    fixture.setClock(grant.expiresAtMillis());
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
    assertThat(fixture.record(KEY).closure()).isEmpty();
  }

  @Test
  void revoked_now_it_opens_at_once_to_all_but_the_revoked() {
    fixture.granted(acquire(ANN, "r1"));
    Token voidToken = fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class).token();
    assertThat(fixture.record(KEY).closure()).isEmpty();
    assertThat(fixture.apply(acquire(ANN, "r2"))).isEqualTo(closedFor(Limits.MIN_BAR_MILLIS));
    assertThat(fixture.granted(acquire(BOB, "r3")).token()).isGreaterThan(voidToken);
  }

  @Test
  void closed_by_an_operator_it_stays_closed_until_an_operator_reopens_it() {
    fixture.granted(acquire(ANN, "r1"));
    Token voidToken = fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class).token();
    fixture.pass(Duration.ofDays(3));
    assertThat(fixture.apply(acquire(BOB, "r2"))).isEqualTo(CLOSED_FOR_GOOD);
    fixture.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
  }

  @Test
  void the_revoked_instance_is_barred_for_thirty_seconds_or_its_ttl() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    long until = START + Limits.MIN_BAR_MILLIS;
    assertThat(fixture.record(KEY).bar()).contains(new Bar(ANN.id(), WHY.text(), until));
    fixture.setClock(until - 1);
    assertThat(fixture.apply(acquire(ANN, "r2"))).isEqualTo(closedFor(1));
    fixture.setClock(until);
    assertThat(fixture.granted(acquire(ANN, "r2")).token()).isGreaterThan(grant.token());
  }

  @Test
  void a_long_ttl_bars_for_as_long() {
    long longMillis = 90_000;
    fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(longMillis)));
    fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    fixture.pass(Duration.ofMillis(longMillis - 1));
    assertThat(fixture.apply(acquire(ANN, "r2"))).isEqualTo(closedFor(1));
  }

  @Test
  void a_barred_instance_cannot_come_back_as_an_heir_and_the_giver_keeps_the_grant() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    Grant bobs = fixture.granted(acquire(BOB, "r2"));
    assertThat(fixture.apply(handOver(BOB, bobs.token(), ANN, "h1")))
        .isEqualTo(closedFor(Limits.MIN_BAR_MILLIS));
    assertThat(fixture.latestGrant(KEY)).isEqualTo(bobs);
  }

  @Test
  void an_expired_grant_that_is_revoked_leaves_the_key_open() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    fixture.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class);
    fixture.granted(acquire(BOB, "r2"));
  }

  @Test
  void a_free_key_has_nothing_to_revoke_and_gets_no_record() {
    fixture.apply(revoke(AT_EXPIRY, "v1"), Outcome.Free.class);
    fixture.apply(revoke(NOW, "v2"), Outcome.Free.class);
    assertThat(fixture.read(KEY)).isEmpty();
  }

  @Test
  void a_free_key_can_be_closed_before_any_holder_takes_it() {
    fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    assertThat(fixture.apply(acquire(BOB, "r1"))).isEqualTo(CLOSED_FOR_GOOD);
    fixture.apply(revoke(BY_OPERATOR, "v2"), Outcome.Free.class);
  }

  @Test
  void neither_now_nor_at_expiry_lifts_what_an_operator_closed() {
    fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    fixture.apply(revoke(NOW, "v2"), Outcome.Free.class);
    fixture.apply(revoke(AT_EXPIRY, "v3"), Outcome.Free.class);
    assertThat(fixture.apply(acquire(BOB, "r1"))).isEqualTo(CLOSED_FOR_GOOD);
  }

  @Test
  void now_lifts_a_closure_that_would_have_ended_by_itself() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class);
    fixture.apply(revoke(NOW, "v2"), Outcome.Revoked.class);
    fixture.granted(acquire(BOB, "r2"));
  }

  @Test
  void a_revocation_that_is_sent_again_gives_the_same_token_and_spares_a_later_grant() {
    fixture.granted(acquire(ANN, "r1"));
    Outcome first = fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    Grant bobs = fixture.granted(acquire(BOB, "r2"));
    assertThat(fixture.apply(revoke(NOW, "v1"))).isEqualTo(first);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(bobs);
  }

  @Test
  void the_same_request_by_another_operator_is_another_request() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    fixture.granted(acquire(BOB, "r2"));
    Operator other = new Operator("otto");
    fixture.apply(
        new Command.Revoke(KEY, other, WHY, NOW, ContractCallers.request("v1")),
        Outcome.Revoked.class);
    assertThat(fixture.record(KEY).currentGrant()).isEmpty();
  }

  @Test
  void an_open_key_is_not_reopened() {
    fixture.apply(reopen("o1"), Outcome.NotClosed.class);
    assertThat(fixture.read(KEY)).isEmpty();
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.apply(reopen("o1"), Outcome.NotClosed.class);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void reopening_leaves_a_closure_alone_that_ends_by_itself() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(AT_EXPIRY, "v1"), Outcome.Revoked.class);
    fixture.apply(reopen("o1"), Outcome.NotClosed.class);
    fixture.apply(acquire(BOB, "r2"), Outcome.Closed.class);
  }

  @Test
  void reopening_keeps_the_key_closed_while_the_revoked_holder_may_still_trust() {
    Grant revoked = fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    fixture.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(fixture.record(KEY).closure().orElseThrow().untilMillis())
        .hasValue(revoked.expiresAtMillis());
    fixture.pass(ContractCallers.TTL);
    fixture.granted(acquire(BOB, "r2"));
  }

  @Test
  void reopening_opens_the_key_to_all_but_the_revoked() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    fixture.pass(ContractCallers.TTL);
    fixture.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(fixture.apply(acquire(ANN, "r2")))
        .isEqualTo(closedFor(Limits.MIN_BAR_MILLIS - ContractCallers.TTL.toMillis()));
    fixture.granted(acquire(BOB, "r3"));
  }

  @Test
  void a_reopening_that_is_sent_again_does_not_lift_a_later_closure() {
    fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    fixture.apply(reopen("o1"), Outcome.Reopened.class);
    fixture.apply(revoke(BY_OPERATOR, "v2"), Outcome.Revoked.class);
    LeaseRecord before = fixture.record(KEY);
    fixture.apply(reopen("o1"), Outcome.Reopened.class);
    assertThat(fixture.record(KEY)).isEqualTo(before);
  }
}
