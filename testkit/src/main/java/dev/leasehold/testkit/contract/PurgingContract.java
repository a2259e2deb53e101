package dev.leasehold.testkit.contract;

import static dev.leasehold.kernel.spi.Command.Reopening.BY_OPERATOR;
import static dev.leasehold.kernel.spi.Command.Reopening.NOW;
import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.abandon;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.purge;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static dev.leasehold.testkit.contract.ContractCallers.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.suite.Await;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** I2: long-dead records go, and no token comes back because of it. */
abstract class PurgingContract extends LeaseGroup {
  private Duration memory() {
    return Duration.ofMillis(fixture.limits().memoryMillis());
  }

  private Token releasedGrant() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
    return token;
  }

  /** Another key that shares the bucket, and so the floor. */
  static LeaseKey neighbourOf(LeaseKey key) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> new LeaseKey("lock/neighbour-" + i))
        .filter(candidate -> Buckets.of(candidate) == Buckets.of(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_dead_record_goes_and_the_next_grant_is_above_all_that_went_before() {
    Token token = releasedGrant();
    fixture.pass(memory());
    assertThat(fixture.apply(purge(Duration.ZERO))).isEqualTo(new Outcome.Purged(token));
    assertThat(fixture.read(KEY)).isEmpty();
    assertThat(fixture.granted(acquire(ANN, "r3")).token()).isGreaterThan(token);
  }

  @Test
  void keys_of_one_bucket_share_the_floor() {
    Token token = releasedGrant();
    fixture.pass(memory());
    fixture.apply(purge(Duration.ZERO), Outcome.Purged.class);
    Grant neighbours = fixture.granted(acquire(neighbourOf(KEY), BOB, "r3"));
    assertThat(neighbours.token()).isGreaterThan(token);
  }

  @Test
  void a_lower_purged_token_does_not_lower_the_floor() {
    LeaseKey neighbour = neighbourOf(KEY);
    fixture.granted(acquire(neighbour, BOB, "n1"));
    Token high = releasedGrant();
    for (int i = 0; i < 3; i++) {
      high = fixture.granted(acquire(ANN, "more" + i)).token();
      fixture.apply(release(ANN, high, "end" + i), Outcome.Released.class);
    }
    fixture.pass(memory().plus(ContractCallers.TTL));
    fixture.apply(purge(Duration.ZERO), Outcome.Purged.class);
    assertThat(fixture.purge(Duration.ZERO)).isEqualTo(1);
    assertThat(fixture.granted(acquire(ANN, "r9")).token()).isGreaterThan(high);
  }

  @Test
  void a_purged_grants_token_is_unknown() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(memory().plus(ContractCallers.TTL));
    fixture.apply(purge(Duration.ZERO), Outcome.Purged.class);
    assertThat(fixture.apply(renew(ANN, token)))
        .isEqualTo(new Outcome.Lost(LossReason.Unknown.after(token)));
    assertThat(Await.answer(fixture.store().suspectedRollbacks()).count()).isZero();
  }

  @Test
  void a_record_is_kept_while_its_requests_may_be_repeated() {
    releasedGrant();
    fixture.pass(memory().minus(A_MOMENT));
    fixture.apply(purge(Duration.ZERO), Outcome.Kept.class);
    assertThat(fixture.read(KEY)).isPresent();
    fixture.pass(A_MOMENT);
    fixture.apply(purge(Duration.ZERO), Outcome.Purged.class);
  }

  @Test
  void an_abandoned_request_keeps_its_record_for_as_long() {
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    fixture.pass(memory().minus(A_MOMENT));
    fixture.apply(purge(Duration.ZERO), Outcome.Kept.class);
    fixture.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
  }

  @Test
  void a_record_is_kept_until_it_has_been_dead_for_as_long_as_was_asked() {
    releasedGrant();
    Duration asked = memory().multipliedBy(3);
    fixture.pass(asked.minus(A_MOMENT));
    fixture.apply(purge(asked), Outcome.Kept.class);
    fixture.pass(A_MOMENT);
    fixture.apply(purge(asked), Outcome.Purged.class);
  }

  @Test
  void a_grant_counts_as_alive_until_it_expires() {
    long ttlMillis = Duration.ofHours(2).toMillis();
    fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(ttlMillis)));
    fixture.pass(Duration.ofMillis(ttlMillis).plus(memory()).minus(A_MOMENT));
    fixture.apply(purge(Duration.ZERO), Outcome.Kept.class);
    fixture.pass(A_MOMENT);
    fixture.apply(purge(Duration.ZERO), Outcome.Purged.class);
  }

  @Test
  void a_bar_keeps_the_record_until_it_ends() {
    long ttlMillis = Duration.ofHours(2).toMillis();
    fixture.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(ttlMillis)));
    fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    fixture.pass(Duration.ofMillis(ttlMillis).minus(A_MOMENT));
    fixture.apply(purge(Duration.ZERO), Outcome.Kept.class);
    fixture.apply(acquire(ANN, "r2"), Outcome.Closed.class);
  }

  @Test
  void a_key_closed_by_an_operator_is_never_purged() {
    fixture.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    fixture.pass(Duration.ofDays(400));
    fixture.apply(purge(Duration.ZERO), Outcome.Kept.class);
    assertThat(fixture.purge(Duration.ZERO)).isZero();
    fixture.apply(acquire(ANN, "r1"), Outcome.Closed.class);
  }

  @Test
  void the_void_token_of_a_revocation_stays_below_what_comes_after_the_purge() {
    fixture.granted(acquire(ANN, "r1"));
    Token voidToken = fixture.apply(revoke(NOW, "v1"), Outcome.Revoked.class).token();
    fixture.pass(memory().plusMinutes(1));
    fixture.apply(purge(Duration.ZERO), Outcome.Purged.class);
    assertThat(fixture.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
  }

  @Test
  void a_key_without_a_record_is_kept_as_it_is() {
    fixture.apply(purge(Duration.ZERO), Outcome.Kept.class);
    assertThat(fixture.read(KEY)).isEmpty();
  }

  @Test
  void a_sweep_takes_only_the_dead_and_no_more_than_it_may() {
    for (int i = 0; i < 5; i++) {
      fixture.granted(acquire(new LeaseKey("run/dead-" + i), ANN, "r" + i));
    }
    fixture.pass(memory().plus(ContractCallers.TTL));
    fixture.granted(acquire(KEY, ANN, "alive"));
    PurgeQuery three = new PurgeQuery(0, 3);
    assertThat(Await.answer(fixture.store().purge(three)).purged()).isEqualTo(3);
    assertThat(fixture.listAll("run/", 10)).hasSize(2);
    assertThat(Await.answer(fixture.store().purge(three)).purged()).isEqualTo(2);
    assertThat(Await.answer(fixture.store().purge(three)).purged()).isZero();
    assertThat(fixture.listAll("", 10)).hasSize(1);
  }
}
