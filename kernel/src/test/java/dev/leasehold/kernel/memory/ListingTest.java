package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.key;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.ListQuery;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listing by prefix, in the order of keys, a page at a time. */
class ListingTest {
  private final MemoryStoreFixture fixture = new MemoryStoreFixture();

  @BeforeEach
  void grantKeys() {
    for (String name : List.of("c", "a", "b", "e", "d")) {
      fixture.grant(ANNA, key(name));
    }
    fixture.grant(ANNA, new LeaseKey("leader/x"));
    fixture.grant(ANNA, new LeaseKey("shard/x"));
  }

  private LeasePage page(ListQuery query) {
    return now(fixture.store.list(query));
  }

  private static List<String> keys(LeasePage page) {
    return page.items().stream().map(item -> item.record().key().text()).toList();
  }

  @Test
  void everythingIsListedInTheOrderOfKeys() {
    LeasePage page = page(ListQuery.all(""));

    assertThat(keys(page))
        .containsExactly("leader/x", "lock/a", "lock/b", "lock/c", "lock/d", "lock/e", "shard/x");
    assertThat(page.next()).isEmpty();
  }

  @Test
  void pagesFollowOneAnotherUntilThereIsNoNext() {
    ListQuery query = new ListQuery("lock/", Optional.empty(), 2);
    LeasePage first = page(query);
    LeasePage second = page(query.from(first.next().orElseThrow()));
    LeasePage third = page(query.from(second.next().orElseThrow()));

    assertThat(keys(first)).containsExactly("lock/a", "lock/b");
    assertThat(keys(second)).containsExactly("lock/c", "lock/d");
    assertThat(keys(third)).containsExactly("lock/e");
    assertThat(third.next()).isEmpty();
  }

  @Test
  void aPageThatIsJustFullAndLastHasNoNext() {
    assertThat(page(new ListQuery("lock/", Optional.empty(), 5)).next()).isEmpty();
    assertThat(page(new ListQuery("lock/", Optional.empty(), 4)).next()).contains(key("d"));
  }

  @Test
  void aKeyThatCameMeanwhileIsNotListedTwice() {
    ListQuery query = new ListQuery("lock/", Optional.empty(), 2);
    LeaseKey last = page(query).next().orElseThrow();
    fixture.grant(ANNA, key("aa"));

    assertThat(keys(page(query.from(last)))).containsExactly("lock/c", "lock/d");
  }

  @Test
  void aPrefixThatNoKeyHasIsAnEmptyPage() {
    assertThat(page(ListQuery.all("lock/z"))).isEqualTo(new LeasePage(List.of(), Optional.empty()));
  }
}
