package dev.leasehold.testkit.contract;

import static dev.leasehold.kernel.spi.Command.Reopening.BY_OPERATOR;
import static dev.leasehold.kernel.spi.Command.Reopening.NOW;
import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.abandon;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.purge;
import static dev.leasehold.testkit.contract.Cast.release;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.revoke;
import static dev.leasehold.testkit.contract.Cast.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LossReason;
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
    return Duration.ofMillis(bench.limits().memoryMillis());
  }

  private Token releasedGrant() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(release(ANN, token, "r2"), Outcome.Released.class);
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
    bench.pass(memory());
    assertThat(bench.apply(purge(Duration.ZERO))).isEqualTo(new Outcome.Purged(token));
    assertThat(bench.read(KEY)).isEmpty();
    assertThat(bench.granted(acquire(ANN, "r3")).token()).isGreaterThan(token);
  }

  @Test
  void keys_of_one_bucket_share_the_floor() {
    Token token = releasedGrant();
    bench.pass(memory());
    bench.apply(purge(Duration.ZERO), Outcome.Purged.class);
    Grant neighbours = bench.granted(acquire(neighbourOf(KEY), BOB, "r3"));
    assertThat(neighbours.token()).isGreaterThan(token);
  }

  @Test
  void a_lower_purged_token_does_not_lower_the_floor() {
    LeaseKey neighbour = neighbourOf(KEY);
    bench.granted(acquire(neighbour, BOB, "n1"));
    Token high = releasedGrant();
    for (int i = 0; i < 3; i++) {
      high = bench.granted(acquire(ANN, "more" + i)).token();
      bench.apply(release(ANN, high, "end" + i), Outcome.Released.class);
    }
    bench.pass(memory().plus(Cast.TTL));
    bench.apply(purge(Duration.ZERO), Outcome.Purged.class);
    assertThat(bench.purge(Duration.ZERO)).isEqualTo(1);
    assertThat(bench.granted(acquire(ANN, "r9")).token()).isGreaterThan(high);
  }

  @Test
  void a_purged_grants_token_is_unknown() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.pass(memory().plus(Cast.TTL));
    bench.apply(purge(Duration.ZERO), Outcome.Purged.class);
    assertThat(bench.apply(renew(ANN, token)))
        .isEqualTo(new Outcome.Lost(LossReason.Unknown.after(token)));
    assertThat(Await.answer(bench.store().suspectedRollbacks()).count()).isZero();
  }

  @Test
  void a_record_is_kept_while_its_requests_may_be_repeated() {
    releasedGrant();
    bench.pass(memory().minus(A_MOMENT));
    bench.apply(purge(Duration.ZERO), Outcome.Kept.class);
    assertThat(bench.read(KEY)).isPresent();
    bench.pass(A_MOMENT);
    bench.apply(purge(Duration.ZERO), Outcome.Purged.class);
  }

  @Test
  void an_abandoned_request_keeps_its_record_for_as_long() {
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    bench.pass(memory().minus(A_MOMENT));
    bench.apply(purge(Duration.ZERO), Outcome.Kept.class);
    bench.apply(acquire(ANN, "r1"), Outcome.Abandoned.class);
  }

  @Test
  void a_record_is_kept_until_it_has_been_dead_for_as_long_as_was_asked() {
    releasedGrant();
    Duration asked = memory().multipliedBy(3);
    bench.pass(asked.minus(A_MOMENT));
    bench.apply(purge(asked), Outcome.Kept.class);
    bench.pass(A_MOMENT);
    bench.apply(purge(asked), Outcome.Purged.class);
  }

  @Test
  void a_grant_counts_as_alive_until_it_expires() {
    long ttlMillis = Duration.ofHours(2).toMillis();
    bench.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(ttlMillis)));
    bench.pass(Duration.ofMillis(ttlMillis).plus(memory()).minus(A_MOMENT));
    bench.apply(purge(Duration.ZERO), Outcome.Kept.class);
    bench.pass(A_MOMENT);
    bench.apply(purge(Duration.ZERO), Outcome.Purged.class);
  }

  @Test
  void a_bar_keeps_the_record_until_it_ends() {
    long ttlMillis = Duration.ofHours(2).toMillis();
    bench.granted(acquire(ANN, "r1", terms(ANN).withTtlMillis(ttlMillis)));
    bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class);
    bench.pass(Duration.ofMillis(ttlMillis).minus(A_MOMENT));
    bench.apply(purge(Duration.ZERO), Outcome.Kept.class);
    bench.apply(acquire(ANN, "r2"), Outcome.Closed.class);
  }

  @Test
  void a_key_closed_by_an_operator_is_never_purged() {
    bench.apply(revoke(BY_OPERATOR, "v1"), Outcome.Revoked.class);
    bench.pass(Duration.ofDays(400));
    bench.apply(purge(Duration.ZERO), Outcome.Kept.class);
    assertThat(bench.purge(Duration.ZERO)).isZero();
    bench.apply(acquire(ANN, "r1"), Outcome.Closed.class);
  }

  @Test
  void the_void_token_of_a_revocation_stays_below_what_comes_after_the_purge() {
    bench.granted(acquire(ANN, "r1"));
    Token voidToken = bench.apply(revoke(NOW, "v1"), Outcome.Revoked.class).token();
    bench.pass(memory().plusMinutes(1));
    bench.apply(purge(Duration.ZERO), Outcome.Purged.class);
    assertThat(bench.granted(acquire(BOB, "r2")).token()).isGreaterThan(voidToken);
  }

  @Test
  void a_key_without_a_record_is_kept_as_it_is() {
    bench.apply(purge(Duration.ZERO), Outcome.Kept.class);
    assertThat(bench.read(KEY)).isEmpty();
  }

  @Test
  void a_sweep_takes_only_the_dead_and_no_more_than_it_may() {
    for (int i = 0; i < 5; i++) {
      bench.granted(acquire(new LeaseKey("run/dead-" + i), ANN, "r" + i));
    }
    bench.pass(memory().plus(Cast.TTL));
    bench.granted(acquire(KEY, ANN, "alive"));
    PurgeQuery three = new PurgeQuery(0, 3);
    assertThat(Await.answer(bench.store().purge(three)).purged()).isEqualTo(3);
    assertThat(bench.listAll("run/", 10)).hasSize(2);
    assertThat(Await.answer(bench.store().purge(three)).purged()).isEqualTo(2);
    assertThat(Await.answer(bench.store().purge(three)).purged()).isZero();
    assertThat(bench.listAll("", 10)).hasSize(1);
  }
}
