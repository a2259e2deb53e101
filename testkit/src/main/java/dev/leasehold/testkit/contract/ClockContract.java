package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Only the store's clock decides; per record it never goes back, even if the real one does. */
abstract class ClockContract extends LeaseGroup {
  private static final Duration BACK = Duration.ofHours(-5);

  @Test
  void the_store_goes_by_the_clock_that_it_was_given() {
    assertThat(fixture.granted(acquire(ANN, "r1")).grantedAtMillis())
        .as("if this fails, look here first: open and setClock do not reach the store's clock")
        .isEqualTo(START);
  }

  @Test
  void a_clock_that_steps_back_stands_still_for_what_was_written() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(BACK);
    assertThat(fixture.apply(acquire(BOB, "r2")))
        .isEqualTo(
            new Outcome.Held(ContractCallers.nameOf(ANN), ANN.id(), grant.token(), TTL.toMillis()));
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Renewed(10_000));
    assertThat(fixture.record(KEY).writtenAtMillis()).isEqualTo(START);
    assertThat(fixture.latestGrant(KEY).expiresAtMillis()).isEqualTo(grant.expiresAtMillis());
  }

  @Test
  void a_reader_is_told_the_time_that_the_record_lives_in() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.pass(Duration.ofSeconds(1));
    assertThat(fixture.read(KEY)).map(LeaseReading::atMillis).contains(START + 1_000);
    fixture.pass(BACK);
    assertThat(fixture.read(KEY)).map(LeaseReading::atMillis).contains(START);
  }

  @Test
  void a_taken_over_grant_does_not_come_back_with_the_clock() {
    Grant first = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(TTL);
    Grant second = fixture.granted(acquire(BOB, "r2"));
    fixture.pass(BACK);
    assertThat(fixture.apply(renew(ANN, first.token())))
        .isEqualTo(
            new Outcome.Lost(
                new LossReason.Superseded(ContractCallers.nameOf(BOB), second.token())));
    assertThat(fixture.apply(renew(BOB, second.token()))).isEqualTo(new Outcome.Renewed(10_000));
  }

  @Test
  void grants_after_a_step_back_are_dated_no_earlier_than_those_before() {
    Grant first = fixture.granted(acquire(ANN, "r1"));
    fixture.apply(release(ANN, first.token(), "r2"), Outcome.Released.class);
    fixture.pass(BACK);
    Grant second = fixture.granted(acquire(BOB, "r3"));
    assertThat(second.grantedAtMillis()).isEqualTo(START);
    assertThat(second.expiresAtMillis()).isEqualTo(START + TTL.toMillis());
  }

  @Test
  void requests_are_remembered_across_a_step_back() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(BACK);
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Granted(grant, TTL.toMillis()));
  }

  @Test
  void a_key_that_was_not_written_meanwhile_lives_by_the_clock_as_it_is() {
    fixture.pass(BACK);
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    assertThat(grant.grantedAtMillis()).isEqualTo(START - Duration.ofHours(5).toMillis());
  }

  @Test
  void a_step_forward_expires_what_it_passes() {
    Grant first = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(Duration.ofDays(30));
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(first.token());
  }
}
