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
import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.StallLimit;
import dev.leasehold.kernel.Standing;
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
abstract class WellFormedContract extends LeaseGroup {
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

  /** As long as it may be, of all that careless quoting or a narrow column spoils. */
  private static String longest(int length) {
    String head = "\\' \"%_`\\n;--${}[1]?:é世";
    String tail = "🔑".repeat((length - head.length()) / 2);
    return head + tail + ".".repeat(length - head.length() - tail.length());
  }

  @Test
  void what_operators_write_is_kept_whole() {
    Operator operator = new Operator(longest(Operator.MAX_LENGTH));
    Explanation why = new Explanation(longest(Explanation.MAX_LENGTH));
    Grant grant = bench.granted(acquire(ANN, "r1"));
    RequestId request = Cast.request("v1");
    Command.Revoke revoke =
        new Command.Revoke(KEY, operator, why, Command.Reopening.BY_OPERATOR, request);
    Outcome.Revoked revoked = bench.apply(revoke, Outcome.Revoked.class);
    LossReason reason = new LossReason.Revoked(operator.name(), why.text());
    assertThat(bench.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Lost(reason));
    assertThat(bench.latestGrant(KEY).standing())
        .isEqualTo(new Standing.Ended(reason, bench.now()));
    assertThat(bench.record(KEY).closure().orElseThrow().reason()).contains(why.text());
    assertThat(bench.apply(acquire(BOB, "r2"), Outcome.Closed.class).reason()).contains(why.text());
    assertThat(bench.apply(revoke)).isEqualTo(revoked);
  }

  @Test
  void why_an_instance_is_barred_is_kept_whole() {
    Explanation why = new Explanation(longest(Explanation.MAX_LENGTH));
    bench.granted(acquire(ANN, "r1"));
    bench.apply(
        new Command.Revoke(KEY, Cast.OPERATOR, why, Command.Reopening.NOW, Cast.request("v1")),
        Outcome.Revoked.class);
    assertThat(bench.record(KEY).bar().orElseThrow().reason()).contains(why.text());
    assertThat(bench.apply(acquire(ANN, "r2"), Outcome.Closed.class).reason()).contains(why.text());
  }

  @Test
  void holders_and_heirs_are_named_in_any_script() {
    String name = longest(HolderInfo.MAX_HOLDER);
    String word = longest(HolderInfo.MAX_WORD);
    Map<String, String> notes =
        Map.of("'\"\\;--", longest(HolderInfo.MAX_ATTRIBUTE_VALUE), "empty", "");
    Terms terms = terms(ANN).withInfo(new HolderInfo(name, word, word, notes));
    Grant grant = bench.granted(acquire(ANN, "r1", terms));
    assertThat(bench.latestGrant(KEY)).isEqualTo(grant);
    assertThat(grant.terms()).isEqualTo(terms);
    Command.Heir heir = new Command.Heir(longest(HolderInfo.MAX_HOLDER - 1), BOB.id());
    bench.apply(
        new Command.HandOver(KEY, grant.token(), ANN, Cast.request("h1"), heir),
        Outcome.HandedOver.class);
    assertThat(bench.latestGrant(KEY).terms().info().holder()).isEqualTo(heir.holder());
    assertThat(bench.apply(acquire(ANN, "r2"), Outcome.Held.class).by()).isEqualTo(heir.holder());
  }

  @Test
  void a_progress_mark_can_be_as_high_as_a_number_goes() {
    Grant grant = bench.granted(acquire(ANN, "r1"));
    bench.apply(Cast.renewAt(ANN, grant.token(), Long.MAX_VALUE), Outcome.Renewed.class);
    assertThat(bench.latestGrant(KEY).progress().mark()).isEqualTo(Long.MAX_VALUE);
    bench.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
  }
}
