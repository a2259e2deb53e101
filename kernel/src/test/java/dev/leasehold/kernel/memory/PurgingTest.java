package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.memory.Bench.key;
import static dev.leasehold.kernel.memory.Bench.now;
import static dev.leasehold.kernel.memory.Bench.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records do not pile up, and tokens never go back. */
class PurgingTest {
  private static final long DEAD = TTL + Limits.MIN_MEMORY_MILLIS;

  /** Two keys that share a bucket. */
  private static final LeaseKey ONE = key("k198");

  private static final LeaseKey OTHER = key("k284");

  private final Bench bench = new Bench();

  private int purge(int limit) {
    return now(bench.store.purge(new PurgeQuery(0, limit))).purged();
  }

  @Test
  void deadKeysArePurgedUpToTheLimit() {
    for (String name : List.of("a", "b", "c")) {
      bench.grant(ANNA, key(name));
    }
    bench.pass(DEAD);

    assertThat(purge(2)).isEqualTo(2);
    assertThat(bench.record(key("a"))).isEmpty();
    assertThat(bench.record(key("b"))).isEmpty();
    assertThat(bench.record(key("c"))).isPresent();
    assertThat(now(bench.store.purge(new PurgeQuery(0, 2)))).isEqualTo(new PurgeReport(1));
    assertThat(purge(2)).isZero();
  }

  @Test
  void keysThatMustBeKeptDoNotUseUpTheLimit() {
    bench.grant(ANNA, key("b"));
    bench.pass(DEAD);
    bench.grant(ANNA, key("a"));

    assertThat(purge(1)).isEqualTo(1);
    assertThat(bench.record(key("a"))).isPresent();
    assertThat(bench.record(key("b"))).isEmpty();
  }

  @Test
  void aLongerQuietTimeKeepsMore() {
    bench.grant(ANNA, key("a"));
    bench.pass(DEAD);

    assertThat(now(bench.store.purge(new PurgeQuery(DEAD, 10))).purged()).isZero();
    bench.pass(TTL);
    assertThat(now(bench.store.purge(new PurgeQuery(DEAD, 10))).purged()).isEqualTo(1);
  }

  @Test
  void aPurgedKeyGoesOnAboveItsLastToken() {
    Token last = bench.grant(ANNA, ONE);
    bench.pass(DEAD);
    purge(1);

    assertThat(bench.grant(BEN, ONE)).isEqualTo(token(last.counter() + 1));
  }

  @Test
  void aPurgedKeysTokenIsUnknownButNotSuspect() {
    Token last = bench.grant(ANNA, ONE);
    bench.pass(DEAD);
    purge(1);

    assertThat(bench.sendOne(Command.Renew.of(ONE, last, ANNA.instance())))
        .isEqualTo(new Outcome.Lost(LossReason.Unknown.after(last)));
    assertThat(now(bench.store.suspectedRollbacks()).count()).isZero();
  }

  @Test
  void aNewKeyStartsAboveTheFloorOfItsBucket() {
    assertThat(Buckets.of(ONE)).isEqualTo(Buckets.of(OTHER));
    bench.grant(ANNA, ONE);
    bench.pass(DEAD);
    purge(1);

    assertThat(bench.grant(BEN, OTHER)).isEqualTo(token(2));
    assertThat(bench.grant(BEN, key("elsewhere"))).isEqualTo(token(1));
  }

  @Test
  void aFloorNeverGoesDown() {
    bench.grant(ANNA, OTHER);
    for (int i = 1; i <= 3; i++) {
      RequestId acquired = new RequestId("a" + i);
      RequestId released = new RequestId("r" + i);
      Token token =
          bench.grant(Command.Acquire.of(ONE, ANNA.instance(), acquired, ANNA.terms(TTL)));
      bench.sendOne(new Command.Release(ONE, token, ANNA.instance(), released));
    }
    bench.pass(DEAD);

    assertThat(purge(2)).isEqualTo(2);
    assertThat(bench.grant(BEN, OTHER)).isEqualTo(token(4));
  }

  @Test
  void aPurgedKeysRequestsAreForgotten() {
    bench.grant(ANNA, ONE);
    bench.pass(DEAD);
    purge(1);

    assertThat(bench.grant(ANNA, ONE)).isEqualTo(token(2));
  }
}
