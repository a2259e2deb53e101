package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.renewAt;
import static dev.leasehold.testkit.contract.ContractCallers.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** I10: a holder that renews but does not move loses the lease. */
abstract class StallingContract extends LeaseGroup {
  private static final Duration LIMIT = Duration.ofSeconds(8);
  private static final Duration HALF = LIMIT.dividedBy(2);
  private static final Outcome STALLED = new Outcome.Lost(new LossReason.Stalled());

  @SuppressWarnings("NullAway.Init")
  private Token token;

  @BeforeEach
  void grantWithALimit() {
    token =
        fixture
            .granted(acquire(ANN, "r1", terms(ANN).withStallLimit(StallLimit.of(LIMIT))))
            .token();
  }

  /** What a store does by itself after it has answered that a grant stalled, or has done before. */
  private Outcome endStalled() {
    return fixture.apply(new Command.EndStalled(KEY, token));
  }

  @Test
  void a_mark_that_grows_counts_as_progress() {
    for (int mark = 1; mark <= 5; mark++) {
      fixture.pass(LIMIT.minus(A_MOMENT));
      assertThat(fixture.apply(renewAt(ANN, token, mark))).isEqualTo(new Outcome.Renewed(10_000));
    }
    assertThat(fixture.latestGrant(KEY).progress()).isEqualTo(new Progress(5, fixture.now()));
  }

  @Test
  void a_mark_that_stands_still_is_renewed_until_the_limit_and_not_at_it() {
    fixture.pass(HALF);
    fixture.apply(renewAt(ANN, token, 1), Outcome.Renewed.class);
    fixture.pass(LIMIT.minus(A_MOMENT));
    fixture.apply(renewAt(ANN, token, 1), Outcome.Renewed.class);
    fixture.pass(A_MOMENT);
    assertThat(fixture.apply(renewAt(ANN, token, 1))).isEqualTo(STALLED);
  }

  @Test
  void a_mark_that_is_merely_different_is_no_progress() {
    fixture.apply(renewAt(ANN, token, 7), Outcome.Renewed.class);
    fixture.pass(HALF);
    fixture.apply(renewAt(ANN, token, 3), Outcome.Renewed.class);
    assertThat(fixture.latestGrant(KEY).progress()).isEqualTo(new Progress(7, START));
    fixture.pass(HALF);
    assertThat(fixture.apply(renewAt(ANN, token, 5))).isEqualTo(STALLED);
  }

  @Test
  void a_stalled_grant_ends_with_a_void_token_above_it() {
    fixture.pass(HALF);
    fixture.apply(renew(ANN, token), Outcome.Renewed.class);
    fixture.pass(HALF);
    assertThat(fixture.apply(renew(ANN, token))).isEqualTo(STALLED);
    assertThat(endStalled()).isEqualTo(STALLED);
    Grant ended = fixture.latestGrant(KEY);
    assertThat(ended.standing())
        .isEqualTo(new Standing.Ended(new LossReason.Stalled(), fixture.now()));
    assertThat(fixture.record(KEY).last()).isEqualTo(token.next(token.incarnation()));
    assertThat(fixture.apply(renewAt(ANN, token, 99))).isEqualTo(STALLED);
  }

  @Test
  void a_stalled_key_is_closed_until_its_old_expiry_and_then_goes_on_above_the_void_token() {
    fixture.pass(HALF);
    fixture.apply(renew(ANN, token), Outcome.Renewed.class);
    fixture.pass(HALF);
    fixture.apply(renew(ANN, token), Outcome.Lost.class);
    endStalled();
    Token voidToken = fixture.record(KEY).last();
    fixture.apply(acquire(BOB, "r2"), Outcome.Closed.class);
    fixture.pass(ContractCallers.TTL);
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
  }

  @Test
  void the_store_ends_a_stalled_grant_by_itself_and_says_so() {
    HintRecorder recorder = new HintRecorder();
    fixture.store().watch("lock/", recorder);
    fixture.pass(HALF);
    fixture.apply(renew(ANN, token), Outcome.Renewed.class);
    fixture.pass(HALF);
    assertThat(fixture.apply(renew(ANN, token))).isEqualTo(STALLED);
    recorder.awaitHint(LeaseChange.Kind.REVOKED, KEY, token);
    recorder.awaitThat(() -> fixture.record(KEY).currentGrant().isEmpty(), "the grant's end");
  }

  @Test
  void a_store_does_not_end_a_grant_that_has_moved_meanwhile() {
    fixture.pass(HALF);
    fixture.apply(renewAt(ANN, token, 1), Outcome.Renewed.class);
    fixture.pass(HALF);
    assertThat(endStalled()).isEqualTo(new Outcome.NotStalled(6_000));
    assertThat(fixture.record(KEY).currentGrant()).isPresent();
  }

  @Test
  void a_grant_without_a_limit_never_stalls() {
    Command.Acquire acquire = acquire(ContractCallers.OTHER_KEY, BOB, "r1");
    Token unlimited = fixture.granted(acquire).token();
    for (int i = 0; i < 20; i++) {
      fixture.pass(LIMIT);
      var renewal = Command.Renew.of(ContractCallers.OTHER_KEY, unlimited, BOB);
      fixture.apply(renewal, Outcome.Renewed.class);
    }
  }

  @Test
  void a_silent_holder_expires_before_any_process_can_say_that_it_stalled() {
    fixture.pass(ContractCallers.TTL);
    assertThat(fixture.apply(renew(ANN, token)))
        .isEqualTo(new Outcome.Lost(new LossReason.Expired()));
  }
}
