package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.EVE;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.nameOf;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.renewAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** I2, I3, I8: giving a grant back, and passing it on. */
abstract class GivingContract extends LeaseGroup {
  private static final Outcome NOT_HOLDER = new Outcome.Lost(new LossReason.NotHolder());

  @Test
  void a_released_key_is_free_at_once_and_its_counter_stays() {
    Grant first = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(A_MOMENT);
    fixture.apply(release(ANN, first.token(), "r2"), Outcome.Released.class);
    Standing ended = new Standing.Ended(new LossReason.Released(), fixture.now());
    assertThat(fixture.latestGrant(KEY)).isEqualTo(first.withStanding(ended));
    assertThat(fixture.record(KEY).last()).isEqualTo(first.token());
    assertThat(fixture.granted(acquire(BOB, "r3")).token())
        .isEqualTo(first.token().next(first.token().incarnation()));
  }

  @Test
  void a_release_that_is_sent_again_does_not_release_a_later_grant() {
    Token first = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(release(ANN, first, "r2"), Outcome.Released.class);
    Token second = fixture.granted(acquire(ANN, "r3")).token();
    fixture.pass(A_MOMENT);
    fixture.apply(release(ANN, first, "r2"), Outcome.Released.class);
    fixture.apply(renew(ANN, second), Outcome.Renewed.class);
  }

  @Test
  void a_second_release_under_another_request_is_lost() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
    assertThat(fixture.apply(release(ANN, token, "r3")))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
  }

  @Test
  void another_instance_cannot_release() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    assertThat(fixture.apply(release(BOB, grant.token(), "r2"))).isEqualTo(NOT_HOLDER);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void an_expired_grant_that_no_grant_followed_can_still_be_released() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(TTL);
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
  }

  @Test
  void a_handed_over_key_is_the_heirs_under_the_next_token_with_a_full_ttl() {
    HolderInfo info = new HolderInfo("giver", "outbox", "eu", Map.of("shard", "7"));
    Terms terms = new Terms(info, TTL.toMillis(), StallLimit.of(Duration.ofMinutes(1)));
    Token token = fixture.granted(acquire(ANN, "r1", terms)).token();
    fixture.apply(renewAt(ANN, token, 5), Outcome.Renewed.class);
    fixture.pass(Duration.ofSeconds(4));
    Token next = token.next(token.incarnation());
    assertThat(fixture.apply(handOver(ANN, token, BOB, "h1")))
        .isEqualTo(new Outcome.HandedOver(next));
    HolderInfo heir = new HolderInfo(nameOf(BOB), "outbox", "", Map.of("shard", "7"));
    long now = fixture.now();
    Grant inherited =
        new Grant(
            next,
            BOB.id(),
            ContractCallers.request("h1"),
            terms.withInfo(heir),
            now,
            now,
            now + TTL.toMillis(),
            Progress.startingAt(now),
            Standing.OPEN);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(inherited);
    fixture.apply(acquire(EVE, "r2"), Outcome.Held.class);
  }

  @Test
  void the_heir_renews_and_the_giver_no_longer_does() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    Token next = fixture.apply(handOver(ANN, token, BOB, "h1"), Outcome.HandedOver.class).token();
    fixture.apply(renew(BOB, next), Outcome.Renewed.class);
    assertThat(fixture.apply(renew(ANN, token)))
        .isEqualTo(new Outcome.Lost(new LossReason.Superseded(nameOf(BOB), next)));
    assertThat(fixture.apply(renew(ANN, next))).isEqualTo(NOT_HOLDER);
  }

  @Test
  void a_hand_over_that_is_sent_again_gives_the_same_token_and_moves_nothing() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    Outcome first = fixture.apply(handOver(ANN, token, BOB, "h1"), Outcome.HandedOver.class);
    LeaseRecord before = fixture.record(KEY);
    fixture.pass(A_MOMENT);
    assertThat(fixture.apply(handOver(ANN, token, BOB, "h1"))).isEqualTo(first);
    assertThat(fixture.record(KEY)).isEqualTo(before);
  }

  @Test
  void the_givers_repeated_acquire_is_told_of_the_heir() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    Token next = fixture.apply(handOver(ANN, token, BOB, "h1"), Outcome.HandedOver.class).token();
    assertThat(fixture.apply(acquire(ANN, "r1")))
        .isEqualTo(new Outcome.Ended(token, new LossReason.Superseded(nameOf(BOB), next)));
  }

  @Test
  void another_instance_cannot_hand_over() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    assertThat(fixture.apply(handOver(BOB, grant.token(), EVE, "h1"))).isEqualTo(NOT_HOLDER);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void a_released_grant_cannot_be_handed_over() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
    assertThat(fixture.apply(handOver(ANN, token, BOB, "h1")))
        .isEqualTo(new Outcome.Lost(new LossReason.Released()));
  }
}
