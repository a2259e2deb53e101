package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** History is bounded, and what is purged or trimmed is what nobody needs. */
abstract class Housekept {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final long LATER_MILLIS = Doing.START_MILLIS + Duration.ofHours(1).toMillis();

  private StoreUnderTest stores;

  abstract StoreUnderTest open();

  @BeforeEach
  void openStore() {
    stores = open();
  }

  @AfterEach
  void closeStore() {
    stores.close();
  }

  StoreUnderTest stores() {
    return stores;
  }

  private JdbcLeaseStore store() {
    return (JdbcLeaseStore) stores.store();
  }

  private List<Token> grants(int count) {
    List<Token> tokens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tokens.add(Doing.acquireAndRelease(store(), KEY));
    }
    return tokens;
  }

  @Test
  void the_last_grants_are_told_newest_first() {
    List<Token> tokens = grants(3);
    List<PastGrant> history = Doing.get(store().history(KEY));
    assertThat(history).extracting(PastGrant::token).containsExactly(tokens.get(1), tokens.get(0));
    assertThat(history.getFirst().end()).isEqualTo(new LossReason.Released());
    assertThat(history.getFirst().holder()).isEqualTo("ann");
    assertThat(Doing.get(store().history(new LeaseKey("lock/never")))).isEmpty();
  }

  @Test
  void what_may_still_be_asked_for_is_kept_and_the_rest_is_trimmed_to_the_last_ones() {
    grants(PastGrant.KEPT + 10);
    Doing.get(store().tidy());
    assertThat(kept()).isEqualTo(PastGrant.KEPT + 9);
    stores.setClock(LATER_MILLIS);
    Doing.get(store().tidy());
    assertThat(kept()).isEqualTo(PastGrant.KEPT);
  }

  /** How many past grants there are. */
  abstract int kept();

  @Test
  void a_purge_goes_through_more_keys_than_a_page_and_stops_at_its_limit() {
    int keys = 203;
    Doing.get(
        store()
            .apply(
                IntStream.range(0, keys)
                    .mapToObj(i -> Doing.acquiring(new LeaseKey("lock/k" + i)))
                    .toList()));
    stores.setClock(LATER_MILLIS);
    PurgeQuery some = new PurgeQuery(0, 130);
    assertThat(Doing.get(store().purge(some)).purged()).isEqualTo(130);
    assertThat(Doing.get(store().purge(some)).purged()).isEqualTo(keys - 130);
    assertThat(Doing.get(store().purge(some)).purged()).isZero();
  }
}
