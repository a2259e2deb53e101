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
abstract class HeardElsewhere {
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
    Ear ear = new Ear();
    stores.another().watch("lock/", ear);
    ear.awaitReset();
    Token token = Doing.acquire(stores.store(), KEY);
    assertThat(ear.await(new LeaseChange(Kind.GRANTED, KEY, token))).isEmpty();
    Doing.release(stores.store(), KEY, token);
    assertThat(ear.await(new LeaseChange(Kind.RELEASED, KEY, token))).isEmpty();
  }

  /** The heir must hear of it: only the end of the grant that it knows makes it ask. */
  @Test
  void a_hand_over_is_heard_by_another_handle() {
    Ear ear = new Ear();
    stores.another().watch("lock/", ear);
    ear.awaitReset();
    Token token = Doing.acquire(stores.store(), KEY);
    ear.await(new LeaseChange(Kind.GRANTED, KEY, token));
    Token handed = Doing.handOver(stores.store(), KEY, token);
    assertThat(ear.await(new LeaseChange(Kind.SUPERSEDED, KEY, token))).isEmpty();
    assertThat(ear.await(new LeaseChange(Kind.GRANTED, KEY, handed))).isEmpty();
  }

  /** The releasing process may have died before it told its watchers; a repetition tells them. */
  @Test
  void a_release_that_is_repeated_is_told_again() {
    Token token = Doing.acquire(stores.store(), KEY);
    Command release = Doing.releasing(KEY, token);
    assertThat(Doing.outcome(stores.store(), release)).isInstanceOf(Outcome.Released.class);
    // Changes arrive in order, so the marker proves that all earlier ones have arrived.
    LeaseKey marker = new LeaseKey("lock/marker");
    Token marked = Doing.acquire(stores.store(), marker);
    Ear ear = new Ear();
    stores.another().watch("lock/", ear);
    ear.awaitReset();
    Doing.release(stores.store(), marker, marked);
    ear.await(new LeaseChange(Kind.RELEASED, marker, marked));
    assertThat(Doing.outcome(stores.store(), release)).isInstanceOf(Outcome.Released.class);
    assertThat(ear.await(new LeaseChange(Kind.RELEASED, KEY, token))).isEmpty();
  }

  @Test
  void ones_own_changes_are_heard_once() {
    Ear ear = new Ear();
    Ear other = new Ear();
    stores.store().watch("lock/", ear);
    ear.awaitReset();
    stores.another().watch("lock/", other);
    other.awaitReset();
    Token first = Doing.acquire(stores.store(), KEY);
    // Changes arrive in order: by then the first would have come back as well.
    LeaseKey key = new LeaseKey("lock/second");
    Token second = Doing.acquire(stores.another(), key);
    assertThat(ear.await(new LeaseChange(Kind.GRANTED, KEY, first))).isEmpty();
    assertThat(ear.await(new LeaseChange(Kind.GRANTED, key, second))).isEmpty();
  }

  @Test
  void an_advanced_incarnation_resets_the_watches_of_another_handle() {
    Ear ear = new Ear();
    stores.another().watch("lock/", ear);
    ear.awaitReset();
    assertThat(Doing.get(stores.store().advance(Advance.above(0))))
        .isInstanceOf(Advance.Advanced.class);
    ear.awaitReset();
  }

  @Test
  void many_changes_at_once_are_all_heard() {
    Ear ear = new Ear();
    stores.another().watch("lock/", ear);
    ear.awaitReset();
    String longName = "lock/" + "x".repeat(200);
    var granted =
        Doing.get(
            stores
                .store()
                .apply(
                    IntStream.range(0, 300)
                        .mapToObj(i -> Doing.acquiring(new LeaseKey(longName + i)))
                        .toList()));
    Token last = ((Outcome.Granted) granted.getLast()).grant().token();
    assertThat(ear.await(new LeaseChange(Kind.GRANTED, new LeaseKey(longName + 299), last)))
        .hasSize(299);
  }

  /** The ttl is far longer than the test waits, so only a hint can wake the waiter. */
  @Test
  void a_waiter_gets_the_key_when_another_process_releases_it() throws InterruptedException {
    Ear ear = new Ear();
    stores.another().watch("lock/", ear);
    ear.awaitReset();
    LeaseRequest request = LeaseRequest.of(KEY).ttl(Duration.ofHours(1));
    try (Leases here = Leases.on(stores.store()).open();
        Leases there = Leases.on(stores.another()).open()) {
      for (int i = 0; i < 5; i++) {
        Acquisition.Acquired held = (Acquisition.Acquired) here.tryAcquire(request);
        var waiting = there.acquireAsync(request, Duration.ofMinutes(30));
        held.lease().release();
        Acquisition.Acquired got = (Acquisition.Acquired) Doing.get(waiting);
        assertThat(got.lease().token()).isGreaterThan(held.lease().token());
        got.lease().release();
      }
    }
  }

  @Test
  void a_store_can_try_out_whether_its_changes_are_heard() {
    assertThat(Doing.get(stores.jdbc().diagnostics().deliversChanges())).isTrue();
  }
}
