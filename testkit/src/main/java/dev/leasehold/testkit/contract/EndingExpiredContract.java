package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** I3: a store can end an expired grant for good, without another one that follows. */
abstract class EndingExpiredContract extends LeaseGroup {
  private static final Outcome EXPIRED = new Outcome.Lost(new LossReason.Expired());

  @SuppressWarnings("NullAway.Init")
  private Token token;

  @BeforeEach
  void grant() {
    token = fixture.granted(acquire(ANN, "r1")).token();
  }

  private Outcome endExpired() {
    return fixture.apply(new Command.EndExpired(KEY, token));
  }

  @Test
  void an_unexpired_grant_is_not_ended() {
    fixture.pass(TTL.minus(A_MOMENT));
    assertThat(endExpired()).isEqualTo(new Outcome.NotExpired(A_MOMENT.toMillis()));
    fixture.apply(renew(ANN, token), Outcome.Renewed.class);
  }

  @Test
  void an_expired_grant_ends_under_a_void_token_and_never_comes_back() {
    fixture.pass(TTL);
    assertThat(endExpired()).isEqualTo(EXPIRED);
    assertThat(fixture.latestGrant(KEY).standing())
        .isEqualTo(new Standing.Ended(new LossReason.Expired(), fixture.now()));
    assertThat(fixture.record(KEY).last()).isEqualTo(token.next(token.incarnation()));
    assertThat(fixture.apply(renew(ANN, token))).isEqualTo(EXPIRED);
  }

  @Test
  void a_grant_that_was_found_expired_ends_too() {
    fixture.pass(TTL);
    assertThat(fixture.apply(renew(ANN, token))).isEqualTo(EXPIRED);
    assertThat(endExpired()).isEqualTo(EXPIRED);
    assertThat(fixture.record(KEY).currentGrant()).isEmpty();
  }

  @Test
  void its_key_is_open_and_goes_on_above_the_void_token() {
    fixture.pass(TTL);
    endExpired();
    Token voidToken = fixture.record(KEY).last();
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
  }

  @Test
  void the_second_ending_writes_nothing() {
    fixture.pass(TTL);
    endExpired();
    Token voidToken = fixture.record(KEY).last();
    assertThat(endExpired()).isEqualTo(EXPIRED);
    assertThat(fixture.record(KEY).last()).isEqualTo(voidToken);
  }

  @Test
  void the_grant_that_followed_is_left_alone() {
    fixture.pass(TTL);
    Token next = fixture.granted(acquire(BOB, "r2")).token();
    assertThat(endExpired()).isInstanceOf(Outcome.Lost.class).isNotEqualTo(EXPIRED);
    assertThat(fixture.latestGrant(KEY).token()).isEqualTo(next);
    fixture.apply(renew(BOB, next), Outcome.Renewed.class);
  }

  @Test
  void watchers_are_told() {
    HintRecorder recorder = new HintRecorder();
    fixture.store().watch("lock/", recorder);
    fixture.pass(TTL);
    endExpired();
    recorder.awaitHint(LeaseChange.Kind.EXPIRED, KEY, token);
  }
}
