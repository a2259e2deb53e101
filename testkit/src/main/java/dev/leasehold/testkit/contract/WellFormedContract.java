package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.renewFor;
import static dev.leasehold.testkit.contract.Cast.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.StallLimit;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What no rule can be applied to is rejected alone; whatever is within bounds is kept whole. */
abstract class WellFormedContract extends ContractGroup {
  private Command.Acquire acquireFor(Duration ttl) {
    return acquire(ANN, "r1", terms(ANN).withTtlMillis(ttl.toMillis()));
  }

  private Duration shortest() {
    return Duration.ofMillis(bench.limits().minTtlMillis());
  }

  private static final Duration LONGEST = Duration.ofMillis(Limits.MAX_TTL_MILLIS);

  @Test
  void a_ttl_out_of_bounds_is_rejected_and_leaves_no_record() {
    bench.apply(acquireFor(shortest().minus(A_MOMENT)), Outcome.Rejected.class);
    bench.apply(acquireFor(LONGEST.plus(A_MOMENT)), Outcome.Rejected.class);
    bench.apply(acquireFor(Duration.ofMillis(-1)), Outcome.Rejected.class);
    assertThat(bench.read(KEY)).isEmpty();
  }

  @Test
  void the_shortest_and_the_longest_ttl_are_granted() {
    bench.granted(acquireFor(shortest()));
    bench.pass(shortest());
    Command.Acquire longest = acquire(BOB, "r2", terms(BOB).withTtlMillis(Limits.MAX_TTL_MILLIS));
    assertThat(bench.granted(longest).expiresAtMillis())
        .isEqualTo(bench.now() + Limits.MAX_TTL_MILLIS);
  }

  @Test
  void a_renewal_with_a_ttl_out_of_bounds_is_rejected_and_changes_nothing() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.pass(A_MOMENT);
    Duration tooShort = shortest().minus(A_MOMENT);
    bench.apply(renewFor(ANN, grant.token(), tooShort), Outcome.Rejected.class);
    bench.apply(renewFor(ANN, grant.token(), LONGEST.plus(A_MOMENT)), Outcome.Rejected.class);
    assertThat(bench.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void a_rejected_command_spoils_none_of_its_neighbours() {
    Command ill = acquireFor(Duration.ZERO);
    LeaseKey next = new LeaseKey("lock/next");
    List<Outcome> outcomes =
        bench.applyAll(List.of(ill, acquire(KEY, BOB, "r2"), ill, acquire(next, BOB, "r3"), ill));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Rejected.class);
    assertThat(bench.latestGrant(KEY).instanceId()).isEqualTo(BOB.id());
  }

  @Test
  void a_rejected_request_is_not_remembered() {
    bench.apply(acquireFor(Duration.ZERO), Outcome.Rejected.class);
    bench.granted(acquire(ANN, "r1"));
  }

  @Test
  void the_largest_of_everything_is_kept_whole() {
    LeaseKey key = new LeaseKey("k/" + "~".repeat(LeaseKey.MAX_LENGTH - 2));
    Map<String, String> notes =
        IntStream.range(0, HolderInfo.MAX_ATTRIBUTES)
            .boxed()
            .collect(
                Collectors.toMap(
                    i -> (char) ('a' + i) + "-".repeat(HolderInfo.MAX_WORD - 1),
                    i -> "ü".repeat(HolderInfo.MAX_ATTRIBUTE_VALUE)));
    String word = "é".repeat(HolderInfo.MAX_WORD);
    HolderInfo info = new HolderInfo("ß".repeat(HolderInfo.MAX_HOLDER), word, word, notes);
    Terms terms = new Terms(info, Limits.MAX_TTL_MILLIS, StallLimit.of(Duration.ofDays(1)));
    RequestId requestId = new RequestId("!".repeat(RequestId.MAX_LENGTH));
    Grant grant = bench.granted(Command.Acquire.of(key, ANN, requestId, terms));
    assertThat(bench.latestGrant(key)).isEqualTo(grant);
    assertThat(grant.terms()).isEqualTo(terms);
    assertThat(grant.requestId()).isEqualTo(requestId);
  }

  @Test
  void a_progress_mark_can_be_as_high_as_a_number_goes() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.apply(Cast.renewAt(ANN, grant.token(), Long.MAX_VALUE), Outcome.Renewed.class);
    assertThat(bench.latestGrant(KEY).progress().mark()).isEqualTo(Long.MAX_VALUE);
    bench.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
  }
}
