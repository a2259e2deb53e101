package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.TTL;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.renewFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** I1, I3: a grant lasts as long as it is renewed in time, and no longer. */
abstract class RenewingContract extends LeaseGroup {
  private static final Outcome EXPIRED = new Outcome.Lost(new LossReason.Expired());

  @Test
  void a_renewal_extends_the_grant_by_its_ttl_from_now() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(Duration.ofSeconds(4));
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Renewed(10_000));
    Grant renewed = bench.latestGrant(KEY);
    assertThat(renewed).isEqualTo(grant.renewed(TTL.toMillis(), grant.progress(), START + 4_000));
    assertThat(bench.record(KEY).writtenAtMillis()).isEqualTo(bench.now());
  }

  @Test
  void a_renewal_can_ask_for_another_ttl_which_then_stays() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    Duration longer = Duration.ofSeconds(60);
    assertThat(bench.apply(renewFor(ANN, grant.token(), longer)))
        .isEqualTo(new Outcome.Renewed(60_000));
    bench.pass(Duration.ofSeconds(30));
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Renewed(60_000));
  }

  @Test
  void a_shorter_ttl_never_cuts_short_what_was_promised() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(Duration.ofSeconds(1));
    Duration shortest = Duration.ofMillis(bench.limits().minTtlMillis());
    assertThat(bench.apply(renewFor(ANN, grant.token(), shortest)))
        .isEqualTo(new Outcome.Renewed(9_000));
    assertThat(bench.latestGrant(KEY).expiresAtMillis()).isEqualTo(grant.expiresAtMillis());
    assertThat(bench.latestGrant(KEY).terms().ttlMillis()).isEqualTo(shortest.toMillis());
  }

  @Test
  void the_last_moment_before_expiry_is_in_time_and_expiry_itself_is_not() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.setClock(grant.expiresAtMillis() - 1);
    bench.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
    bench.setClock(bench.latestGrant(KEY).expiresAtMillis());
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
  }

  @Test
  void a_renewal_that_came_too_late_closes_the_grant_to_renewal_but_leaves_it_current() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    assertThat(bench.record(KEY).currentGrant()).contains(grant.withStanding(Standing.LAPSED));
    assertThat(bench.record(KEY).writtenAtMillis()).isEqualTo(bench.now());
  }

  @Test
  void a_grant_that_was_called_expired_is_not_renewed_when_the_clock_steps_back() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    bench.setClock(START + 1);
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    assertThat(bench.latestGrant(KEY).standing()).isEqualTo(Standing.LAPSED);
  }

  @Test
  void a_grant_that_was_called_expired_can_be_taken_over_at_once() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    bench.apply(renew(ANN, grant.token()), Outcome.Lost.class);
    bench.setClock(START + 1);
    assertThat(bench.granted(acquire(BOB, "r2")).token()).isGreaterThan(grant.token());
  }

  @Test
  void a_second_late_renewal_writes_nothing() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    bench.apply(renew(ANN, grant.token()), Outcome.Lost.class);
    LeaseRecord before = bench.record(KEY);
    bench.pass(A_MOMENT);
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(EXPIRED);
    assertThat(bench.record(KEY)).isEqualTo(before);
  }

  @Test
  void another_instance_cannot_renew_with_the_right_token() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(A_MOMENT);
    assertThat(bench.apply(renew(BOB, grant.token())))
        .isEqualTo(new Outcome.Lost(new LossReason.NotHolder()));
    assertThat(bench.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void another_instance_does_not_close_an_expired_grant_to_renewal() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(TTL);
    assertThat(bench.apply(renew(BOB, grant.token())))
        .isEqualTo(new Outcome.Lost(new LossReason.NotHolder()));
    assertThat(bench.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void a_grant_renewed_in_time_is_kept_for_ever_under_one_token() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    for (int i = 0; i < 50; i++) {
      bench.pass(TTL.minus(A_MOMENT));
      bench.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
      bench.apply(acquire(BOB, "r2"), Outcome.Held.class);
    }
    assertThat(bench.latestGrant(KEY).token()).isEqualTo(grant.token());
  }
}
