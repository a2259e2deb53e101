package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.OTHER_KEY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static dev.leasehold.testkit.contract.ContractCallers.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** I2, I3 across a rollback: the incarnation is advanced, and everything before it is over. */
abstract class IncarnationContract extends LeaseGroup {
  private static final LossReason ADVANCED = new LossReason.IncarnationAdvanced();

  private Advance.Advanced advanceAbove(int incarnation) {
    Advance.Outcome outcome = fixture.advance(Advance.above(incarnation));
    assertThat(outcome).isInstanceOf(Advance.Advanced.class);
    return (Advance.Advanced) outcome;
  }

  @Test
  void a_new_store_starts_with_the_days_since_2025() {
    int days = (int) Duration.ofMillis(START - 1_735_689_600_000L).toDays();
    assertThat(fixture.granted(acquire(ANN, "r1")).token()).isEqualTo(Token.of(days, 1));
  }

  @Test
  void every_grant_ends_with_it_and_readers_see_that_at_once() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    advanceAbove(5);
    Grant ended = fixture.latestGrant(KEY);
    assertThat(ended.standing()).isEqualTo(new Standing.Ended(ADVANCED, grant.renewedAtMillis()));
    Outcome lost = new Outcome.Lost(ADVANCED);
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(lost);
    assertThat(fixture.apply(release(ANN, grant.token(), "r2"))).isEqualTo(lost);
    assertThat(fixture.apply(handOver(ANN, grant.token(), BOB, "h1"))).isEqualTo(lost);
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(grant.token(), ADVANCED));
  }

  @Test
  void new_tokens_have_the_new_incarnation_and_the_counter_goes_on() {
    Token before = fixture.granted(acquire(ANN, "r1")).token();
    int incarnation = advanceAbove(before.incarnation() + 10).incarnation();
    assertThat(incarnation).isEqualTo(before.incarnation() + 11);
    fixture.pass(Duration.ofMillis(Limits.MIN_HOLD_OFF_MILLIS));
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isEqualTo(Token.of(incarnation, 2));
    assertThat(fixture.granted(acquire(OTHER_KEY, BOB, "r3")).token())
        .isEqualTo(Token.of(incarnation, 1));
  }

  @Test
  void the_new_incarnation_is_above_the_stored_the_days_the_witness_and_what_was_asked() {
    int first = fixture.granted(acquire(ANN, "r1")).token().incarnation();
    assertThat(advanceAbove(0).incarnation()).isEqualTo(first + 1);
    assertThat(advanceAbove(first + 20).incarnation()).isEqualTo(first + 21);
    Advance witnessed =
        new Advance(OptionalInt.of(3), OptionalInt.of(first + 30), OptionalLong.empty());
    assertThat(fixture.advance(witnessed)).isInstanceOf(Advance.Advanced.class);
    assertThat(advanceAbove(0).incarnation()).isEqualTo(first + 32);
    fixture.pass(Duration.ofDays(100));
    assertThat(advanceAbove(0).incarnation()).isEqualTo(first + 100);
  }

  @Test
  void without_a_witness_and_a_number_it_is_refused_and_nothing_ends() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    Advance blind = new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());
    assertThat(fixture.advance(blind)).isInstanceOf(Advance.Refused.class);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
    fixture.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
  }

  @Test
  void a_number_that_leaves_no_room_is_refused() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    assertThat(fixture.advance(Advance.above(Token.MAX_INCARNATION)))
        .isInstanceOf(Advance.Refused.class);
    fixture.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
  }

  @Test
  void the_hold_off_lasts_as_long_as_a_holder_was_told_before_a_shorter_renewal() {
    Duration told = Duration.ofHours(1);
    Terms terms = ContractCallers.terms(ANN).withTtlMillis(told.toMillis());
    Token token = fixture.granted(acquire(ANN, "r1", terms)).token();
    OptionalLong shorter = OptionalLong.of(1_000);
    fixture.apply(new Command.Renew(KEY, token, ANN, shorter, 0), Outcome.Renewed.class);
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(told.toMillis());
  }

  @Test
  void nothing_is_granted_for_thirty_seconds() {
    fixture.granted(acquire(ANN, "r1"));
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(Limits.MIN_HOLD_OFF_MILLIS);
    fixture.pass(Duration.ofMillis(Limits.MIN_HOLD_OFF_MILLIS).minus(A_MOMENT));
    Outcome.Closed closed = fixture.apply(acquire(BOB, "r2"), Outcome.Closed.class);
    assertThat(closed.remainingMillis()).hasValue(1);
    fixture.apply(acquire(OTHER_KEY, BOB, "r3"), Outcome.Closed.class);
    fixture.pass(A_MOMENT);
    fixture.granted(acquire(BOB, "r2"));
  }

  @Test
  void a_longer_ttl_on_record_holds_off_for_as_long() {
    fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(90_000)));
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(90_000);
    fixture.pass(Duration.ofMillis(89_999));
    fixture.apply(acquire(BOB, "r2"), Outcome.Closed.class);
  }

  @Test
  void only_what_is_left_of_a_grant_holds_off() {
    fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(90_000)));
    fixture.pass(Duration.ofSeconds(20));
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(70_000);
  }

  @Test
  void a_long_grant_that_was_released_or_has_expired_does_not_hold_off() {
    Duration day = Duration.ofDays(1);
    Token released =
        fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(day.toMillis()))).token();
    fixture.apply(release(ANN, released, "r2"), Outcome.Released.class);
    Terms expiring = terms(ANN).withTtlMillis(40_000);
    fixture.granted(Command.Acquire.of(OTHER_KEY, ANN, ContractCallers.request("r3"), expiring));
    fixture.pass(Duration.ofSeconds(40));
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(Limits.MIN_HOLD_OFF_MILLIS);
  }

  @Test
  void a_key_that_is_closed_for_a_revoked_holder_holds_off_until_it_opens() {
    fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(90_000)));
    fixture.apply(revoke(Command.Reopening.AT_EXPIRY, "v1"), Outcome.Revoked.class);
    fixture.pass(Duration.ofSeconds(20));
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(70_000);
  }

  @Test
  void the_longest_ttl_that_a_witness_saw_holds_off_for_as_long() {
    Advance witnessed =
        new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.empty(), 80_000);
    fixture.granted(acquire(ANN, "r1"));
    assertThat(((Advance.Advanced) fixture.advance(witnessed)).holdOffMillis()).isEqualTo(80_000);
  }

  @Test
  void the_operator_can_say_how_long_but_not_cut_short_an_earlier_hold_off() {
    Advance short1 = new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(0));
    assertThat(((Advance.Advanced) fixture.advance(short1)).holdOffMillis()).isZero();
    fixture.granted(acquire(ANN, "r1"));
    assertThat(advanceAbove(0).holdOffMillis()).isEqualTo(Limits.MIN_HOLD_OFF_MILLIS);
    assertThat(((Advance.Advanced) fixture.advance(short1)).holdOffMillis())
        .isEqualTo(Limits.MIN_HOLD_OFF_MILLIS);
    fixture.apply(acquire(BOB, "r2"), Outcome.Closed.class);
  }
}
