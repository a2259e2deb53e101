package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.OTHER_KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.nameOf;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** I1, I2, I8: which caller gets a key, and the outcome of a repeated request. */
abstract class AcquiringContract extends LeaseGroup {
  @Test
  void a_free_key_is_granted_for_its_whole_ttl_and_is_on_record() {
    Outcome.Granted granted = fixture.apply(acquire(ANN, "r1"), Outcome.Granted.class);
    Grant expected =
        new Grant(
            granted.grant().token(),
            ANN.id(),
            ContractCallers.request("r1"),
            terms(ANN),
            START,
            START,
            START + TTL.toMillis(),
            Progress.startingAt(START),
            Standing.OPEN);
    assertThat(granted).isEqualTo(new Outcome.Granted(expected, TTL.toMillis()));
    assertThat(fixture.record(KEY).grant()).contains(expected);
    assertThat(fixture.record(KEY).last()).isEqualTo(expected.token());
    assertThat(fixture.record(KEY).writtenAtMillis()).isEqualTo(START);
  }

  @Test
  void a_key_that_no_caller_asked_for_has_no_record() {
    assertThat(fixture.read(KEY)).isEmpty();
  }

  @Test
  void everything_the_holder_says_about_itself_is_kept() {
    Map<String, String> notes = Map.of("pod", "a-1", "why", "Übergröße 𝄞, \"quoted\" \\ '%_");
    HolderInfo info = new HolderInfo("host 1 – Zürich", "recovery", "eu-west-1", notes);
    Terms terms = new Terms(info, 12_345, StallLimit.of(Duration.ofSeconds(7)));
    fixture.granted(acquire(ANN, "r1", terms));
    assertThat(fixture.latestGrant(KEY).terms()).isEqualTo(terms);
  }

  @Test
  void a_held_key_tells_who_has_it_and_for_how_long() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(Duration.ofSeconds(4));
    assertThat(fixture.apply(acquire(BOB, "r2")))
        .isEqualTo(new Outcome.Held(nameOf(ANN), ANN.id(), token, 6_000));
  }

  @Test
  void a_holder_that_asks_again_under_another_request_is_told_that_it_is_held() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(acquire(ANN, "r2"), Outcome.Held.class);
  }

  @Test
  void a_grant_is_taken_over_at_its_expiry_and_not_a_moment_before() {
    Grant first = fixture.granted(acquire(ANN, "r1"));
    fixture.setClock(first.expiresAtMillis() - 1);
    Outcome.Held held = fixture.apply(acquire(BOB, "r2"), Outcome.Held.class);
    assertThat(held.remainingMillis()).isEqualTo(1);
    fixture.setClock(first.expiresAtMillis());
    Grant second = fixture.granted(acquire(BOB, "r2"));
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(second.grantedAtMillis()).isEqualTo(first.expiresAtMillis());
    assertThat(second.instanceId()).isEqualTo(BOB.id());
  }

  @Test
  void a_refused_acquire_changes_nothing() {
    fixture.granted(acquire(ANN, "r1"));
    var before = fixture.record(KEY);
    fixture.pass(A_MOMENT);
    fixture.apply(acquire(BOB, "r2"), Outcome.Held.class);
    assertThat(fixture.record(KEY)).isEqualTo(before);
  }

  @Test
  void keys_do_not_know_of_each_other() {
    fixture.granted(acquire(KEY, ANN, "r1"));
    Grant other = fixture.granted(acquire(OTHER_KEY, BOB, "r1"));
    assertThat(other.instanceId()).isEqualTo(BOB.id());
    assertThat(fixture.latestGrant(KEY).instanceId()).isEqualTo(ANN.id());
  }

  @Test
  void a_repeat_gives_the_same_token_and_the_remaining_of_now() {
    Grant first = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(Duration.ofSeconds(4));
    assertThat(fixture.apply(acquire(ANN, "r1"))).isEqualTo(new Outcome.Granted(first, 6_000));
    fixture.apply(renew(ANN, first.token()), Outcome.Renewed.class);
    fixture.pass(Duration.ofSeconds(1));
    Outcome.Granted third = fixture.apply(acquire(ANN, "r1"), Outcome.Granted.class);
    assertThat(third.grant().token()).isEqualTo(first.token());
    assertThat(third.remainingMillis()).isEqualTo(9_000);
  }

  @Test
  void a_repeat_after_release_is_told_of_the_end_and_gets_nothing_new() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
    var before = fixture.record(KEY);
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(token, new LossReason.Released()));
    assertThat(fixture.record(KEY)).isEqualTo(before);
  }

  @Test
  void a_repeat_after_expiry_is_told_so_and_closes_the_grant_to_renewal() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.setClock(grant.expiresAtMillis());
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(grant.token(), new LossReason.Expired()));
    assertThat(fixture.latestGrant(KEY).standing()).isEqualTo(Standing.LAPSED);
  }

  @Test
  void a_repeat_after_takeover_names_the_successor() {
    Token first = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(TTL);
    Token second = fixture.granted(acquire(BOB, "r2")).token();
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(first, new LossReason.Superseded(nameOf(BOB), second)));
  }

  @Test
  void a_refused_acquire_is_decided_afresh_when_it_is_sent_again() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(acquire(BOB, "r2"), Outcome.Held.class);
    fixture.apply(release(ANN, token, "r3"), Outcome.Released.class);
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(token);
  }

  @Test
  void one_request_id_in_two_hands_is_two_requests() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(acquire(BOB, "r1"), Outcome.Held.class);
    fixture.apply(release(ANN, token, "r1"), Outcome.Released.class);
    assertThat(fixture.granted(acquire(BOB, "r1")).instanceId()).isEqualTo(BOB.id());
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(token, new LossReason.Released()));
  }

  @Test
  void an_expected_grant_is_followed_once_it_has_expired() {
    Grant read = fixture.granted(acquire(ANN, "r1"));
    var takeover = acquire(BOB, "r2").expecting(ANN.id(), read.token());
    fixture.apply(takeover, Outcome.Held.class);
    fixture.pass(TTL);
    assertThat(fixture.granted(takeover).token()).isGreaterThan(read.token());
  }

  @Test
  void an_expectation_that_is_wrong_in_its_token_or_its_instance_changes_nothing() {
    Grant read = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    Token next = read.token().next(read.token().incarnation());
    var before = fixture.record(KEY);
    fixture.apply(acquire(BOB, "r2").expecting(ANN.id(), next), Outcome.Changed.class);
    fixture.apply(acquire(BOB, "r3").expecting(BOB.id(), read.token()), Outcome.Changed.class);
    assertThat(fixture.record(KEY)).isEqualTo(before);
  }

  @Test
  void a_wrong_expectation_of_a_held_key_is_told_that_it_changed() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    var expecting = acquire(BOB, "r2").expecting(BOB.id(), grant.token());
    fixture.apply(expecting, Outcome.Changed.class);
  }

  @Test
  void an_expected_grant_that_was_released_or_followed_has_changed() {
    Grant read = fixture.granted(acquire(ANN, "r1"));
    fixture.apply(release(ANN, read.token(), "r2"), Outcome.Released.class);
    var takeover = acquire(BOB, "r3").expecting(ANN.id(), read.token());
    fixture.apply(takeover, Outcome.Changed.class);
    fixture.granted(acquire(ContractCallers.EVE, "r4"));
    fixture.pass(TTL);
    fixture.apply(takeover, Outcome.Changed.class);
  }

  @Test
  void nothing_can_be_expected_of_a_key_without_a_record() {
    Token invented = Token.of(1, 1);
    fixture.apply(acquire(BOB, "r1").expecting(ANN.id(), invented), Outcome.Changed.class);
    assertThat(fixture.read(KEY)).isEqualTo(Optional.empty());
  }

  @Test
  void of_two_takeovers_that_expect_the_same_one_wins() {
    Grant read = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    Grant second = fixture.granted(acquire(BOB, "r2").expecting(ANN.id(), read.token()));
    fixture.apply(
        acquire(ContractCallers.EVE, "r3").expecting(ANN.id(), read.token()),
        Outcome.Changed.class);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(second);
  }
}
