package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.abandon;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** I8: an acquire whose answer never came can be given up, whether it arrived or not. */
abstract class AbandoningContract extends LeaseGroup {
  @Test
  void what_the_request_was_granted_is_released() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(A_MOMENT);
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(fixture.latestGrant(KEY).standing())
        .isEqualTo(new Standing.Ended(new LossReason.Released(), fixture.now()));
    assertThat(fixture.apply(renew(ANN, token)))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(token);
  }

  @Test
  void an_acquire_that_comes_after_its_abandon_is_not_granted() {
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    fixture.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(fixture.record(KEY).grant()).isEmpty();
    fixture.granted(acquire(ANN, "r2"));
  }

  @Test
  void an_abandoned_request_stays_abandoned_for_as_long_as_requests_are_remembered() {
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    fixture.pass(Duration.ofMillis(fixture.limits().memoryMillis()));
    fixture.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
  }

  @Test
  void an_acquire_that_was_refused_and_abandoned_is_not_granted_later() {
    fixture.granted(acquire(BOB, "r2"));
    fixture.apply(acquire(ANN, "r1"), Outcome.Held.class);
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    fixture.pass(TTL);
    fixture.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
  }

  @Test
  void abandoning_leaves_the_grants_of_other_holders_alone() {
    Grant grant = fixture.granted(acquire(BOB, "r1"));
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    fixture.apply(abandon(BOB, "r2"), Outcome.Abandoned.class);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
    fixture.apply(renew(BOB, grant.token()), Outcome.Renewed.class);
  }

  @Test
  void a_repeat_changes_nothing_and_spares_a_later_grant() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    Grant second = fixture.granted(acquire(ANN, "r2"));
    LeaseRecord before = fixture.record(KEY);
    fixture.pass(A_MOMENT);
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(fixture.record(KEY)).isEqualTo(before);
    fixture.apply(renew(ANN, second.token()), Outcome.Renewed.class);
  }

  @Test
  void the_giver_of_a_hand_over_cannot_reach_the_heirs_grant() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(handOver(ANN, token, BOB, "h1"), Outcome.HandedOver.class);
    Grant inherited = fixture.latestGrant(KEY);
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    fixture.apply(abandon(BOB, "r1"), Outcome.Abandoned.class);
    fixture.apply(abandon(ANN, "h1"), Outcome.Abandoned.class);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(inherited);
  }

  @Test
  void an_expired_grant_is_released_too_so_that_its_writes_stop_being_in_order() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    assertThat(fixture.record(KEY).currentGrant()).isEmpty();
  }
}
