package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.OTHER_KEY;
import static dev.leasehold.testkit.contract.Cast.TTL;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.nameOf;
import static dev.leasehold.testkit.contract.Cast.release;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Progress;
import dev.leasehold.kernel.StallLimit;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** I1, I2, I8: who gets a key, and what its request gives when it is sent again. */
abstract class AcquiringContract extends LeaseGroup {
  @Test
  void a_free_key_is_granted_for_its_whole_ttl_and_is_on_record() {
    Outcome.Granted granted = bench.apply(acquire(ANN, "r1"), Outcome.Granted.class);
    Grant expected =
        new Grant(
            granted.grant().token(),
            ANN.id(),
            Cast.request("r1"),
            terms(ANN),
            START,
            START,
            START + TTL.toMillis(),
            Progress.startingAt(START),
            Standing.OPEN);
    assertThat(granted).isEqualTo(new Outcome.Granted(expected, TTL.toMillis()));
    assertThat(bench.record(KEY).grant()).contains(expected);
    assertThat(bench.record(KEY).last()).isEqualTo(expected.token());
    assertThat(bench.record(KEY).writtenAtMillis()).isEqualTo(START);
  }

  @Test
  void a_key_that_nobody_asked_for_has_no_record() {
    assertThat(bench.read(KEY)).isEmpty();
  }

  @Test
  void everything_the_holder_says_about_itself_is_kept() {
    Map<String, String> notes = Map.of("pod", "a-1", "why", "Übergröße 𝄞, \"quoted\" \\ '%_");
    HolderInfo info = new HolderInfo("host 1 – Zürich", "recovery", "eu-west-1", notes);
    Terms terms = new Terms(info, 12_345, StallLimit.of(Duration.ofSeconds(7)));
    bench.granted(acquire(ANN, "r1", terms));
    assertThat(bench.latestGrant(KEY).terms()).isEqualTo(terms);
  }

  @Test
  void a_held_key_tells_who_has_it_and_for_how_long() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.pass(Duration.ofSeconds(4));
    assertThat(bench.apply(acquire(BOB, "r2")))
        .isEqualTo(new Outcome.Held(nameOf(ANN), ANN.id(), token, 6_000));
  }

  @Test
  void a_holder_that_asks_again_under_another_request_is_told_that_it_is_held() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(acquire(ANN, "r2"), Outcome.Held.class);
  }

  @Test
  void a_grant_is_taken_over_at_its_expiry_and_not_a_moment_before() {
    Grant first = bench.granted(acquire(ANN, "r1"));
    bench.setClock(first.expiresAtMillis() - 1);
    Outcome.Held held = bench.apply(acquire(BOB, "r2"), Outcome.Held.class);
    assertThat(held.remainingMillis()).isEqualTo(1);
    bench.setClock(first.expiresAtMillis());
    Grant second = bench.granted(acquire(BOB, "r2"));
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(second.grantedAtMillis()).isEqualTo(first.expiresAtMillis());
    assertThat(second.instanceId()).isEqualTo(BOB.id());
  }

  @Test
  void a_refused_acquire_changes_nothing() {
    bench.granted(acquire(ANN, "r1"));
    var before = bench.record(KEY);
    bench.pass(A_MOMENT);
    bench.apply(acquire(BOB, "r2"), Outcome.Held.class);
    assertThat(bench.record(KEY)).isEqualTo(before);
  }

  @Test
  void keys_do_not_know_of_each_other() {
    bench.granted(acquire(KEY, ANN, "r1"));
    Grant other = bench.granted(acquire(OTHER_KEY, BOB, "r1"));
    assertThat(other.instanceId()).isEqualTo(BOB.id());
    assertThat(bench.latestGrant(KEY).instanceId()).isEqualTo(ANN.id());
  }

  @Test
  void a_repeat_gives_the_same_token_and_the_remaining_of_now() {
    Grant first = bench.granted(acquire(ANN, "r1"));
    bench.pass(Duration.ofSeconds(4));
    assertThat(bench.apply(acquire(ANN, "r1"))).isEqualTo(new Outcome.Granted(first, 6_000));
    bench.apply(renew(ANN, first.token()), Outcome.Renewed.class);
    bench.pass(Duration.ofSeconds(1));
    Outcome.Granted third = bench.apply(acquire(ANN, "r1"), Outcome.Granted.class);
    assertThat(third.grant().token()).isEqualTo(first.token());
    assertThat(third.remainingMillis()).isEqualTo(9_000);
  }

  @Test
  void a_repeat_after_release_is_told_of_the_end_and_gets_nothing_new() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(release(ANN, token, "r2"), Outcome.Released.class);
    var before = bench.record(KEY);
    assertThat(bench.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(token, new LossReason.Released()));
    assertThat(bench.record(KEY)).isEqualTo(before);
  }

  @Test
  void a_repeat_after_expiry_is_told_so_and_closes_the_grant_to_renewal() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.setClock(grant.expiresAtMillis());
    assertThat(bench.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(grant.token(), new LossReason.Expired()));
    assertThat(bench.latestGrant(KEY).standing()).isEqualTo(Standing.LAPSED);
  }

  @Test
  void a_repeat_after_takeover_names_the_successor() {
    Token first = bench.granted(acquire(ANN, "r1")).token();
    bench.pass(TTL);
    Token second = bench.granted(acquire(BOB, "r2")).token();
    assertThat(bench.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(first, new LossReason.Superseded(nameOf(BOB), second)));
  }

  @Test
  void a_refused_acquire_is_decided_afresh_when_it_is_sent_again() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(acquire(BOB, "r2"), Outcome.Held.class);
    bench.apply(release(ANN, token, "r3"), Outcome.Released.class);
    assertThat(bench.granted(acquire(BOB, "r2")).token()).isGreaterThan(token);
  }

  @Test
  void one_request_id_in_two_hands_is_two_requests() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(acquire(BOB, "r1"), Outcome.Held.class);
    bench.apply(release(ANN, token, "r1"), Outcome.Released.class);
    assertThat(bench.granted(acquire(BOB, "r1")).instanceId()).isEqualTo(BOB.id());
    assertThat(bench.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(token, new LossReason.Released()));
  }

  @Test
  void an_expected_grant_is_followed_once_it_has_expired() {
    Grant read = bench.granted(acquire(ANN, "r1"));
    var takeover = acquire(BOB, "r2").expecting(ANN.id(), read.token());
    bench.apply(takeover, Outcome.Held.class);
    bench.pass(TTL);
    assertThat(bench.granted(takeover).token()).isGreaterThan(read.token());
  }

  @Test
  void an_expectation_that_is_wrong_in_its_token_or_its_instance_changes_nothing() {
    Grant read = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    Token next = read.token().next(read.token().incarnation());
    var before = bench.record(KEY);
    bench.apply(acquire(BOB, "r2").expecting(ANN.id(), next), Outcome.Changed.class);
    bench.apply(acquire(BOB, "r3").expecting(BOB.id(), read.token()), Outcome.Changed.class);
    assertThat(bench.record(KEY)).isEqualTo(before);
  }

  @Test
  void a_wrong_expectation_of_a_held_key_is_told_that_it_changed() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    var expecting = acquire(BOB, "r2").expecting(BOB.id(), grant.token());
    bench.apply(expecting, Outcome.Changed.class);
  }

  @Test
  void an_expected_grant_that_was_released_or_followed_has_changed() {
    Grant read = bench.granted(acquire(ANN, "r1"));
    bench.apply(release(ANN, read.token(), "r2"), Outcome.Released.class);
    var takeover = acquire(BOB, "r3").expecting(ANN.id(), read.token());
    bench.apply(takeover, Outcome.Changed.class);
    bench.granted(acquire(Cast.EVE, "r4"));
    bench.pass(TTL);
    bench.apply(takeover, Outcome.Changed.class);
  }

  @Test
  void nothing_can_be_expected_of_a_key_without_a_record() {
    Token invented = Token.of(1, 1);
    bench.apply(acquire(BOB, "r1").expecting(ANN.id(), invented), Outcome.Changed.class);
    assertThat(bench.read(KEY)).isEqualTo(Optional.empty());
  }

  @Test
  void of_two_takeovers_that_expect_the_same_one_wins() {
    Grant read = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    Grant second = bench.granted(acquire(BOB, "r2").expecting(ANN.id(), read.token()));
    bench.apply(acquire(Cast.EVE, "r3").expecting(ANN.id(), read.token()), Outcome.Changed.class);
    assertThat(bench.latestGrant(KEY)).isEqualTo(second);
  }
}
