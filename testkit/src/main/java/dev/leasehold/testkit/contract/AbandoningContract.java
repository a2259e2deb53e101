package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.TTL;
import static dev.leasehold.testkit.contract.Cast.abandon;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.handOver;
import static dev.leasehold.testkit.contract.Cast.renew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** I8: an acquire whose answer never came can be given up, whether it arrived or not. */
abstract class AbandoningContract extends LeaseGroup {
  @Test
  void what_the_request_was_granted_is_released() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.pass(A_MOMENT);
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(bench.latestGrant(KEY).standing())
        .isEqualTo(new Standing.Ended(new LossReason.Released(), bench.now()));
    assertThat(bench.apply(renew(ANN, token)))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
    assertThat(bench.granted(acquire(BOB, "r2")).token()).isGreaterThan(token);
  }

  @Test
  void an_acquire_that_comes_after_its_abandon_is_not_granted() {
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    bench.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(bench.record(KEY).grant()).isEmpty();
    bench.granted(acquire(ANN, "r2"));
  }

  @Test
  void an_abandoned_request_stays_abandoned_for_as_long_as_requests_are_remembered() {
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    bench.pass(Duration.ofMillis(bench.limits().memoryMillis()));
    bench.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
  }

  @Test
  void an_acquire_that_was_refused_and_abandoned_is_not_granted_later() {
    bench.granted(acquire(BOB, "r2"));
    bench.apply(acquire(ANN, "r1"), Outcome.Held.class);
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    bench.pass(TTL);
    bench.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
  }

  @Test
  void abandoning_leaves_everybody_elses_grant_alone() {
    Grant grant = bench.granted(acquire(BOB, "r1"));
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    bench.apply(abandon(BOB, "r2"), Outcome.Abandoned.class);
    assertThat(bench.latestGrant(KEY)).isEqualTo(grant);
    bench.apply(renew(BOB, grant.token()), Outcome.Renewed.class);
  }

  @Test
  void a_repeat_changes_nothing_and_spares_a_later_grant() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    Grant second = bench.granted(acquire(ANN, "r2"));
    LeaseRecord before = bench.record(KEY);
    bench.pass(A_MOMENT);
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(bench.record(KEY)).isEqualTo(before);
    bench.apply(renew(ANN, second.token()), Outcome.Renewed.class);
  }

  @Test
  void the_giver_of_a_hand_over_cannot_reach_the_heirs_grant() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(handOver(ANN, token, BOB, "h1"), Outcome.HandedOver.class);
    Grant inherited = bench.latestGrant(KEY);
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    bench.apply(abandon(BOB, "r1"), Outcome.Abandoned.class);
    bench.apply(abandon(ANN, "h1"), Outcome.Abandoned.class);
    assertThat(bench.latestGrant(KEY)).isEqualTo(inherited);
  }

  @Test
  void an_expired_grant_is_released_too_so_that_its_writes_stop_being_in_order() {
    bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(bench.record(KEY).currentGrant()).isEmpty();
  }
}
