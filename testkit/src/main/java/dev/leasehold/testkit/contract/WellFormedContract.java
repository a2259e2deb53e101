package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.renewFor;
import static dev.leasehold.testkit.contract.ContractCallers.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ill-formed commands are rejected alone; values within their bounds are kept unchanged. */
abstract class WellFormedContract extends LeaseGroup {
  private Command.Acquire acquireFor(Duration ttl) {
    return acquire(ANN, "r1", terms(ANN).withTtlMillis(ttl.toMillis()));
  }

  private Duration shortest() {
    return Duration.ofMillis(fixture.limits().minTtlMillis());
  }

  private static final Duration LONGEST = Duration.ofMillis(Limits.MAX_TTL_MILLIS);

  @Test
  void a_ttl_out_of_bounds_is_rejected_and_leaves_no_record() {
    fixture.apply(acquireFor(shortest().minus(A_MOMENT)), Outcome.Rejected.class);
    fixture.apply(acquireFor(LONGEST.plus(A_MOMENT)), Outcome.Rejected.class);
    fixture.apply(acquireFor(Duration.ofMillis(-1)), Outcome.Rejected.class);
    assertThat(fixture.read(KEY)).isEmpty();
  }

  @Test
  void the_shortest_and_the_longest_ttl_are_granted() {
    fixture.granted(acquireFor(shortest()));
    fixture.pass(shortest());
    Command.Acquire longest = acquire(BOB, "r2", terms(BOB).withTtlMillis(Limits.MAX_TTL_MILLIS));
    assertThat(fixture.granted(longest).expiresAtMillis())
        .isEqualTo(fixture.now() + Limits.MAX_TTL_MILLIS);
  }

  @Test
  void a_renewal_with_a_ttl_out_of_bounds_is_rejected_and_changes_nothing() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.pass(A_MOMENT);
    Duration tooShort = shortest().minus(A_MOMENT);
    fixture.apply(renewFor(ANN, grant.token(), tooShort), Outcome.Rejected.class);
    fixture.apply(renewFor(ANN, grant.token(), LONGEST.plus(A_MOMENT)), Outcome.Rejected.class);
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
  }

  @Test
  void a_rejected_command_spoils_none_of_its_neighbours() {
    Command ill = acquireFor(Duration.ZERO);
    LeaseKey next = new LeaseKey("lock/next");
    List<Outcome> outcomes =
        fixture.applyAll(List.of(ill, acquire(KEY, BOB, "r2"), ill, acquire(next, BOB, "r3"), ill));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Rejected.class);
    assertThat(fixture.latestGrant(KEY).instanceId()).isEqualTo(BOB.id());
  }

  @Test
  void a_rejected_request_is_not_remembered() {
    fixture.apply(acquireFor(Duration.ZERO), Outcome.Rejected.class);
    fixture.granted(acquire(ANN, "r1"));
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
    Grant grant = fixture.granted(Command.Acquire.of(key, ANN, requestId, terms));
    assertThat(fixture.latestGrant(key)).isEqualTo(grant);
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
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    RequestId request = ContractCallers.request("v1");
    Command.Revoke revoke =
        new Command.Revoke(KEY, operator, why, Command.Reopening.BY_OPERATOR, request);
    Outcome.Revoked revoked = fixture.apply(revoke, Outcome.Revoked.class);
    LossReason reason = new LossReason.Revoked(operator.name(), why.text());
    assertThat(fixture.apply(renew(ANN, grant.token()))).isEqualTo(new Outcome.Lost(reason));
    assertThat(fixture.latestGrant(KEY).standing())
        .isEqualTo(new Standing.Ended(reason, fixture.now()));
    assertThat(fixture.record(KEY).closure().orElseThrow().reason()).contains(why.text());
    assertThat(fixture.apply(acquire(BOB, "r2"), Outcome.Closed.class).reason())
        .contains(why.text());
    assertThat(fixture.apply(revoke)).isEqualTo(revoked);
  }

  @Test
  void why_an_instance_is_barred_is_kept_whole() {
    Explanation why = new Explanation(longest(Explanation.MAX_LENGTH));
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(
        new Command.Revoke(
            KEY,
            ContractCallers.OPERATOR,
            why,
            Command.Reopening.NOW,
            ContractCallers.request("v1")),
        Outcome.Revoked.class);
    assertThat(fixture.record(KEY).bar().orElseThrow().reason()).contains(why.text());
    assertThat(fixture.apply(acquire(ANN, "r2"), Outcome.Closed.class).reason())
        .contains(why.text());
  }

  @Test
  void holders_and_heirs_are_named_in_any_script() {
    String name = longest(HolderInfo.MAX_HOLDER);
    String word = longest(HolderInfo.MAX_WORD);
    Map<String, String> notes =
        Map.of("'\"\\;--", longest(HolderInfo.MAX_ATTRIBUTE_VALUE), "empty", "");
    Terms terms = terms(ANN).withInfo(new HolderInfo(name, word, word, notes));
    Grant grant = fixture.granted(acquire(ANN, "r1", terms));
    assertThat(fixture.latestGrant(KEY)).isEqualTo(grant);
    assertThat(grant.terms()).isEqualTo(terms);
    Command.Heir heir = new Command.Heir(longest(HolderInfo.MAX_HOLDER - 1), BOB.id());
    fixture.apply(
        new Command.HandOver(KEY, grant.token(), ANN, ContractCallers.request("h1"), heir),
        Outcome.HandedOver.class);
    assertThat(fixture.latestGrant(KEY).terms().info().holder()).isEqualTo(heir.holder());
    assertThat(fixture.apply(acquire(ANN, "r2"), Outcome.Held.class).by()).isEqualTo(heir.holder());
  }

  @Test
  void a_progress_mark_can_be_as_high_as_a_number_goes() {
    Grant grant = fixture.granted(acquire(ANN, "r1"));
    fixture.apply(
        ContractCallers.renewAt(ANN, grant.token(), Long.MAX_VALUE), Outcome.Renewed.class);
    assertThat(fixture.latestGrant(KEY).progress().mark()).isEqualTo(Long.MAX_VALUE);
    fixture.apply(renew(ANN, grant.token()), Outcome.Renewed.class);
  }
}
