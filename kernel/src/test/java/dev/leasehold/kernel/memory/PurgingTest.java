package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.key;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.now;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
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

  private final MemoryStoreFixture fixture = new MemoryStoreFixture();

  private int purge(int limit) {
    return now(fixture.store.purge(new PurgeQuery(0, limit))).purged();
  }

  @Test
  void deadKeysArePurgedUpToTheLimit() {
    for (String name : List.of("a", "b", "c")) {
      fixture.grant(ANNA, key(name));
    }
    fixture.pass(DEAD);

    assertThat(purge(2)).isEqualTo(2);
    assertThat(fixture.record(key("a"))).isEmpty();
    assertThat(fixture.record(key("b"))).isEmpty();
    assertThat(fixture.record(key("c"))).isPresent();
    assertThat(now(fixture.store.purge(new PurgeQuery(0, 2)))).isEqualTo(new PurgeReport(1));
    assertThat(purge(2)).isZero();
  }

  @Test
  void keysThatMustBeKeptDoNotUseUpTheLimit() {
    fixture.grant(ANNA, key("b"));
    fixture.pass(DEAD);
    fixture.grant(ANNA, key("a"));

    assertThat(purge(1)).isEqualTo(1);
    assertThat(fixture.record(key("a"))).isPresent();
    assertThat(fixture.record(key("b"))).isEmpty();
  }

  @Test
  void aLongerQuietTimeKeepsMore() {
    fixture.grant(ANNA, key("a"));
    fixture.pass(DEAD);

    assertThat(now(fixture.store.purge(new PurgeQuery(DEAD, 10))).purged()).isZero();
    fixture.pass(TTL);
    assertThat(now(fixture.store.purge(new PurgeQuery(DEAD, 10))).purged()).isEqualTo(1);
  }

  @Test
  void aPurgedKeyGoesOnAboveItsLastToken() {
    Token last = fixture.grant(ANNA, ONE);
    fixture.pass(DEAD);
    purge(1);

    assertThat(fixture.grant(BEN, ONE)).isEqualTo(token(last.counter() + 1));
  }

  @Test
  void aPurgedKeysTokenIsUnknownButNotSuspect() {
    Token last = fixture.grant(ANNA, ONE);
    fixture.pass(DEAD);
    purge(1);

    assertThat(fixture.sendOne(Command.Renew.of(ONE, last, ANNA.instance())))
        .isEqualTo(new Outcome.Lost(LossReason.Unknown.after(last)));
    assertThat(now(fixture.store.suspectedRollbacks()).count()).isZero();
  }

  @Test
  void aNewKeyStartsAboveTheFloorOfItsBucket() {
    assertThat(Buckets.of(ONE)).isEqualTo(Buckets.of(OTHER));
    fixture.grant(ANNA, ONE);
    fixture.pass(DEAD);
    purge(1);

    assertThat(fixture.grant(BEN, OTHER)).isEqualTo(token(2));
    assertThat(fixture.grant(BEN, key("elsewhere"))).isEqualTo(token(1));
  }

  @Test
  void aFloorNeverGoesDown() {
    fixture.grant(ANNA, OTHER);
    for (int i = 1; i <= 3; i++) {
      RequestId acquired = new RequestId("a" + i);
      RequestId released = new RequestId("r" + i);
      Token token =
          fixture.grant(Command.Acquire.of(ONE, ANNA.instance(), acquired, ANNA.terms(TTL)));
      fixture.sendOne(new Command.Release(ONE, token, ANNA.instance(), released));
    }
    fixture.pass(DEAD);

    assertThat(purge(2)).isEqualTo(2);
    assertThat(fixture.grant(BEN, OTHER)).isEqualTo(token(4));
  }

  @Test
  void aPurgedKeysRequestsAreForgotten() {
    fixture.grant(ANNA, ONE);
    fixture.pass(DEAD);
    purge(1);

    assertThat(fixture.grant(ANNA, ONE)).isEqualTo(token(2));
  }
}
