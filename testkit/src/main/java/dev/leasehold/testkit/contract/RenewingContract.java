package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.renewFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** I1, I3: a grant lasts as long as it is renewed in time, and no longer. */
abstract class RenewingContract extends LeaseGroup {
  private static final Outcome EXPIRED = new Outcome.Lost(new LossReason.Expired());

  @Test
  void a_renewal_extends_the_grant_by_its_ttl_from_now() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(Duration.ofSeconds(4));
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Renewed(10_000));
    Grant renewed = fixture.latestGrant(KEY);
    assertThat(renewed).isEqualTo(grant.renewed(TTL.toMillis(), grant.progress(), START + 4_000));
    assertThat(fixture.record(KEY).writtenAtMillis()).isEqualTo(fixture.now());
  }

  @Test
  void a_renewal_can_ask_for_another_ttl_which_then_stays() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    Duration longer = Duration.ofSeconds(60);
    assertThat(fixture.apply(renewFor(ANN, grant.token(), longer)))
        .isEqualTo(new Outcome.Renewed(60_000));
    fixture.pass(Duration.ofSeconds(30));
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Renewed(60_000));
  }

  @Test
  void a_shorter_ttl_never_cuts_short_what_was_promised() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(Duration.ofSeconds(1));
    Duration shortest = Duration.ofMillis(fixture.limits().minTtlMillis());
    assertThat(fixture.apply(renewFor(ANN, grant.token(), shortest)))
        .isEqualTo(new Outcome.Renewed(9_000));
    assertThat(fixture.latestGrant(KEY).expiresAtMillis()).isEqualTo(grant.expiresAtMillis());
    assertThat(fixture.latestGrant(KEY).terms().ttlMillis()).isEqualTo(shortest.toMillis());
  }

  @Test
  void the_last_moment_before_expiry_is_in_time_and_expiry_itself_is_not() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.setClock(grant.expiresAtMillis() - 1);
    fixture.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
    fixture.setClock(fixture.latestGrant(KEY).expiresAtMillis());
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
  }

  @Test
  void a_renewal_that_came_too_late_closes_the_grant_to_renewal_but_leaves_it_current() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    assertThat(fixture.record(KEY).currentGrant()).contains(grant.withStanding(Standing.LAPSED));
    assertThat(fixture.record(KEY).writtenAtMillis()).isEqualTo(fixture.now());
  }

  @Test
  void a_grant_that_was_called_expired_is_not_renewed_when_the_clock_steps_back() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    fixture.setClock(START + 1);
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    assertThat(fixture.latestGrant(KEY).standing()).isEqualTo(Standing.LAPSED);
  }

  @Test
  void a_grant_that_was_called_expired_can_be_taken_over_at_once() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    fixture.apply(renew(ANN, grant.token()), Outcome.Lost.class);
    fixture.setClock(START + 1);
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(grant.token());
  }

  @Test
  void a_second_late_renewal_writes_nothing() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    fixture.apply(renew(ANN, grant.token()), Outcome.Lost.class);
    LeaseRecord before = fixture.record(KEY);
    fixture.pass(A_MOMENT);
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    assertThat(fixture.record(KEY)).isEqualTo(before);
  }

  @Test
  void another_instance_cannot_renew_with_the_right_token() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(A_MOMENT);
    assertThat(fixture.apply(renew(BOB, grant.token())))
        .isEqualTo(new Outcome.Lost(new LossReason.NotHolder()));
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void another_instance_does_not_close_an_expired_grant_to_renewal() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    assertThat(fixture.apply(renew(BOB, grant.token())))
        .isEqualTo(new Outcome.Lost(new LossReason.NotHolder()));
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void a_grant_renewed_in_time_is_kept_for_ever_under_one_token() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    for (int i = 0; i < 50; i++) {
      fixture.pass(TTL.minus(A_MOMENT));
      fixture.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
      fixture.apply(acquire(BOB, "r2"), Outcome.Held.class);
    }
    assertThat(fixture.latestGrant(KEY).token()).isEqualTo(grant.token());
  }
}
