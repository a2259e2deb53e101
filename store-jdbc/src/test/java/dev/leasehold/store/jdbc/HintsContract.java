package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes made through one handle reach another one, as they reach another process. */
abstract class HintsContract {
  static final LeaseKey KEY = new LeaseKey("lock/report");

  private TwoHandles stores;

  abstract TwoHandles open();

  @BeforeEach
  void openStores() {
    stores = open();
  }

  @AfterEach
  void closeStores() {
    stores.close();
  }

  TwoHandles stores() {
    return stores;
  }

  @Test
  void grants_and_releases_are_heard_once_by_another_handle() {
    TestListener listener = new TestListener();
    stores.another().watch("lock/", listener);
    listener.awaitReset();
    Token token = TestCommands.acquire(stores.store(), KEY);
    assertThat(listener.await(new LeaseChange(Kind.GRANTED, KEY, token))).isEmpty();
    TestCommands.release(stores.store(), KEY, token);
    assertThat(listener.await(new LeaseChange(Kind.RELEASED, KEY, token))).isEmpty();
  }

  /** The heir must hear of it: only the end of the grant that it knows makes it ask. */
  @Test
  void a_hand_over_is_heard_by_another_handle() {
    TestListener listener = new TestListener();
    stores.another().watch("lock/", listener);
    listener.awaitReset();
    Token token = TestCommands.acquire(stores.store(), KEY);
    listener.await(new LeaseChange(Kind.GRANTED, KEY, token));
    Token handed = TestCommands.handOver(stores.store(), KEY, token);
    assertThat(listener.await(new LeaseChange(Kind.SUPERSEDED, KEY, token))).isEmpty();
    assertThat(listener.await(new LeaseChange(Kind.GRANTED, KEY, handed))).isEmpty();
  }

  /** The releasing process may have died before it told its watchers; a repetition tells them. */
  @Test
  void a_release_that_is_repeated_is_told_again() {
    Token token = TestCommands.acquire(stores.store(), KEY);
    Command release = TestCommands.releasing(KEY, token);
    assertThat(TestCommands.outcome(stores.store(), release)).isInstanceOf(Outcome.Released.class);
    // Changes arrive in order, so the marker proves that all earlier ones have arrived.
    LeaseKey marker = new LeaseKey("lock/marker");
    Token marked = TestCommands.acquire(stores.store(), marker);
    TestListener listener = new TestListener();
    stores.another().watch("lock/", listener);
    listener.awaitReset();
    TestCommands.release(stores.store(), marker, marked);
    listener.await(new LeaseChange(Kind.RELEASED, marker, marked));
    assertThat(TestCommands.outcome(stores.store(), release)).isInstanceOf(Outcome.Released.class);
    assertThat(listener.await(new LeaseChange(Kind.RELEASED, KEY, token))).isEmpty();
  }

  @Test
  void ones_own_changes_are_heard_once() {
    TestListener listener = new TestListener();
    TestListener other = new TestListener();
    stores.store().watch("lock/", listener);
    listener.awaitReset();
    stores.another().watch("lock/", other);
    other.awaitReset();
    Token first = TestCommands.acquire(stores.store(), KEY);
    // Changes arrive in order: by then the first would have come back as well.
    LeaseKey key = new LeaseKey("lock/second");
    Token second = TestCommands.acquire(stores.another(), key);
    assertThat(listener.await(new LeaseChange(Kind.GRANTED, KEY, first))).isEmpty();
    assertThat(listener.await(new LeaseChange(Kind.GRANTED, key, second))).isEmpty();
  }

  @Test
  void an_advanced_incarnation_resets_the_watches_of_another_handle() {
    TestListener listener = new TestListener();
    stores.another().watch("lock/", listener);
    listener.awaitReset();
    assertThat(TestCommands.get(stores.store().advance(Advance.above(0))))
        .isInstanceOf(Advance.Advanced.class);
    listener.awaitReset();
  }

  @Test
  void many_changes_at_once_are_all_heard() {
    TestListener listener = new TestListener();
    stores.another().watch("lock/", listener);
    listener.awaitReset();
    String longName = "lock/" + "x".repeat(200);
    var granted =
        TestCommands.get(
            stores
                .store()
                .apply(
                    IntStream.range(0, 300)
                        .mapToObj(i -> TestCommands.acquiring(new LeaseKey(longName + i)))
                        .toList()));
    Token last = ((Outcome.Granted) granted.getLast()).grant().token();
    assertThat(listener.await(new LeaseChange(Kind.GRANTED, new LeaseKey(longName + 299), last)))
        .hasSize(299);
  }

  /** The ttl is far longer than the test waits, so only a hint can wake the waiter. */
  @Test
  void a_waiter_gets_the_key_when_another_process_releases_it() throws InterruptedException {
    TestListener listener = new TestListener();
    stores.another().watch("lock/", listener);
    listener.awaitReset();
    LeaseRequest request = LeaseRequest.of(KEY).ttl(Duration.ofHours(1));
    try (Leases here = Leases.on(stores.store()).open();
        Leases there = Leases.on(stores.another()).open()) {
      for (int i = 0; i < 5; i++) {
        Acquisition.Acquired held = (Acquisition.Acquired) here.tryAcquire(request);
        var waiting = there.acquireAsync(request, Duration.ofMinutes(30));
        held.lease().release();
        Acquisition.Acquired got = (Acquisition.Acquired) TestCommands.get(waiting);
        assertThat(got.lease().token()).isGreaterThan(held.lease().token());
        got.lease().release();
      }
    }
  }

  @Test
  void a_store_can_try_out_whether_its_changes_are_heard() {
    assertThat(TestCommands.get(stores.jdbc().diagnostics().deliversChanges())).isTrue();
  }
}
