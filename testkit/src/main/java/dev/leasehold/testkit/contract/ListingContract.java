package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.suite.Await;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers are never blocked by a lease, see every record once, and never a secret. */
abstract class ListingContract extends LeaseGroup {
  /** Bytes that sort, match or escape otherwise than a careless store would think. */
  private static final List<String> AWKWARD =
      List.of(
          "lock/a",
          "lock/A",
          "lock/_",
          "lock/%",
          "lock/a%b",
          "lock/a_b",
          "lock/aXb",
          "lock/~",
          "lock/!",
          "lock/a/b",
          "lock/a-b",
          "lock/a.b",
          "lock/\\",
          "lock/'",
          "lock/10",
          "lock/9",
          "lock/z",
          "locks/a",
          "Lock/a",
          "loc/k",
          "lock/[a]",
          "lock/*",
          "lock/?");

  private static Stream<LeaseKey> sorted(String prefix) {
    return AWKWARD.stream().filter(text -> text.startsWith(prefix)).sorted().map(LeaseKey::new);
  }

  private void acquireAll() {
    fixture.applyAll(AWKWARD.stream().map(text -> acquire(new LeaseKey(text), ANN, "r1")).toList());
  }

  private static List<LeaseKey> keysOf(List<LeaseReading> readings) {
    return readings.stream().map(reading -> reading.record().key()).toList();
  }

  @Test
  void an_empty_store_lists_nothing() {
    LeasePage page = Await.answer(fixture.store().list(ListQuery.all("")));
    assertThat(page).isEqualTo(new LeasePage(List.of(), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "lock", "lock/", "lock/a", "lock/_", "lock/%", "lock/a_", "L", "lock/\\", "x"})
  void a_prefix_lists_exactly_what_starts_with_it_in_the_order_of_bytes(String prefix) {
    acquireAll();
    assertThat(keysOf(fixture.listAll(prefix, ListQuery.MAX_LIMIT)))
        .containsExactlyElementsOf(sorted(prefix).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 22, 23, 24})
  void pages_of_every_size_have_no_gaps_and_no_repeats(int size) {
    acquireAll();
    assertThat(keysOf(fixture.listAll("", size))).containsExactlyElementsOf(sorted("").toList());
    assertThat(keysOf(fixture.listAll("lock/", size)))
        .containsExactlyElementsOf(sorted("lock/").toList());
  }

  @Test
  void the_last_page_says_so_even_when_it_is_full() {
    acquireAll();
    ListQuery all = new ListQuery("", Optional.empty(), AWKWARD.size());
    assertThat(Await.answer(fixture.store().list(all)).next()).isEmpty();
  }

  @Test
  void a_page_can_start_after_a_key_that_is_not_there() {
    acquireAll();
    ListQuery from = ListQuery.all("lock/").from(new LeaseKey("lock/a-"));
    assertThat(keysOf(Await.answer(fixture.store().list(from)).items()))
        .containsExactlyElementsOf(
            sorted("lock/").filter(key -> key.text().compareTo("lock/a-") > 0).toList());
  }

  @Test
  void what_is_listed_is_what_is_read() {
    acquireAll();
    fixture.apply(revoke(Command.Reopening.AT_EXPIRY, "v0"), Outcome.Free.class);
    fixture.granted(acquire(ANN, "r2"));
    fixture.apply(revoke(Command.Reopening.AT_EXPIRY, "v1"), Outcome.Revoked.class);
    fixture.pass(A_MOMENT);
    for (LeaseReading listed : fixture.listAll("", 5)) {
      assertThat(fixture.read(listed.record().key())).contains(listed);
    }
  }

  @Test
  void no_secret_of_an_instance_is_to_be_seen_anywhere() {
    StringBuilder shown = new StringBuilder();
    shown.append(fixture.apply(acquire(ANN, "r1")));
    Token token = fixture.latestGrant(KEY).token();
    Stream.of(
            acquire(BOB, "r2"),
            acquire(ANN, "r1"),
            ContractCallers.renew(BOB, token),
            ContractCallers.renew(ANN, token),
            handOver(ANN, token, BOB, "h1"),
            release(ANN, token, "e1"),
            revoke(Command.Reopening.NOW, "v1"),
            acquire(BOB, "r3"))
        .map(command -> command + " -> " + fixture.apply(command))
        .forEach(shown::append);
    shown.append(fixture.read(KEY)).append(fixture.listAll("", 10)).append(fixture.store());
    for (Instance instance : List.of(ANN, BOB)) {
      assertThat(shown.toString()).doesNotContain(instance.secret());
    }
    assertThat(shown.toString()).contains(ANN.id().text());
  }
}
