package dev.leasehold.blocks.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.BlocksFixture;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PermitsTest {
  private static final int COUNT = 3;

  private final BlocksFixture fixture = new BlocksFixture();
  private final Leases leases = fixture.process("one");
  private final Permits permits = Locks.on(leases).permits("api", COUNT);
  private final Permits others = Locks.on(fixture.process("two")).permits("api", COUNT);

  private List<Lease> takeAll() throws InterruptedException {
    List<Lease> taken = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      taken.add(BlocksFixture.lease(permits.tryAcquire()));
    }
    return taken;
  }

  /** A waiter on another thread, and what it gets. */
  private record Waiting(Thread thread, CompletableFuture<Acquisition> got) {}

  private static Waiting waiting(Permits permits, Duration wait) {
    CompletableFuture<Acquisition> got = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    got.complete(permits.acquire(wait));
                  } catch (InterruptedException e) {
                    got.completeExceptionally(e);
                  }
                });
    BlocksFixture.awaitBlocked(thread);
    return new Waiting(thread, got);
  }

  private List<String> held() {
    return fixture.heldKeys("permit/api", COUNT);
  }

  @Test
  void thereAreAsManyAsWasSaidEachWithAKeyOfItsOwn() throws Exception {
    List<Lease> taken = takeAll();

    assertThat(taken.stream().map(lease -> lease.key().text()))
        .containsExactlyInAnyOrder("permit/api/0", "permit/api/1", "permit/api/2");
    assertThat(others.tryAcquire()).isInstanceOf(Acquisition.Held.class);

    taken.get(1).close();
    assertThat(BlocksFixture.lease(others.tryAcquire()).key()).isEqualTo(taken.get(1).key());
  }

  @Test
  void aCallerThatFindsAllHeldIsToldOfThePermitThatMayBeFreeFirst() throws Exception {
    BlocksFixture.lease(permits.refined(r -> r.ttl(Duration.ofSeconds(20))).tryAcquire());
    BlocksFixture.lease(permits.refined(r -> r.ttl(Duration.ofSeconds(10))).tryAcquire());
    BlocksFixture.lease(permits.refined(r -> r.ttl(Duration.ofSeconds(30))).tryAcquire());

    assertThat(others.tryAcquire())
        .isInstanceOfSatisfying(
            Acquisition.Held.class,
            held -> assertThat(held.remaining()).isEqualTo(Duration.ofSeconds(10)));
  }

  @Test
  void aWaiterGetsThePermitThatIsReleasedFirstAndNoOther() throws Exception {
    List<Lease> taken = takeAll();
    Waiting waiting = waiting(others, Duration.ofMinutes(1));

    taken.get(2).close();

    Lease got = BlocksFixture.lease(waiting.got().get());
    assertThat(got.key()).isEqualTo(taken.get(2).key());
    taken.get(0).close();
    taken.get(1).close();
    assertThat(held()).containsExactly(got.key().text());
  }

  /**
   * Two permits come free at the same moment, and a caller that waits for both may be granted both.
   */
  @Test
  void aWaiterThatIsGrantedTwoReleasesOneAlthoughItAskedForALeastTime() throws Exception {
    takeAll();
    Waiting waiting =
        waiting(others.refined(r -> r.atLeastFor(Duration.ofHours(1))), Duration.ofMinutes(5));
    fixture.storeTakesBatches(
        batch ->
            batch.getFirst() instanceof Command.Renew
                ? new CompletableFuture<>()
                : fixture.behind(batch));

    fixture.advance(Duration.ofSeconds(31));
    waiting.thread().join();

    assertThat(held()).containsExactly(BlocksFixture.lease(waiting.got().get()).key().text());
  }

  @Test
  void aWaiterThatTimesOutHoldsNothingAndLeavesNothing() throws Exception {
    List<Lease> taken = takeAll();
    Waiting waiting = waiting(others, Duration.ofSeconds(5));

    fixture.advance(Duration.ofSeconds(5));
    assertThat(waiting.got().get()).isInstanceOf(Acquisition.Held.class);

    taken.forEach(Lease::close);
    fixture.advance(Duration.ofMinutes(1));
    assertThat(held()).isEmpty();
  }

  @Test
  void aWaiterThatIsInterruptedHoldsNothingAndLeavesNothing() throws Exception {
    List<Lease> taken = takeAll();
    Waiting waiting = waiting(others, Duration.ofMinutes(5));

    waiting.thread().interrupt();
    waiting.thread().join();

    assertThat(waiting.got()).isCompletedExceptionally();
    taken.forEach(Lease::close);
    fixture.advance(Duration.ofMinutes(1));
    assertThat(held()).isEmpty();
  }

  @Test
  void processesDoNotAllBeginAtTheSameSlot() throws Exception {
    Permits many = Locks.on(leases).permits("wide", 16);
    Set<String> first = new HashSet<>();
    for (int i = 0; i < 64; i++) {
      try (Lease lease = BlocksFixture.lease(many.tryAcquire())) {
        first.add(lease.key().text());
      }
    }
    // They could all be the same by chance, once in 16^63 runs.
    assertThat(first).hasSizeGreaterThan(1);
  }

  /** A store that does not answer for one slot would not answer for the next either. */
  @Test
  void aStoreThatIsAwayIsAskedOnceAndNotForEverySlot() throws Exception {
    fixture.storeTakesBatches(
        batch -> CompletableFuture.failedFuture(new IllegalStateException("away")));
    CompletableFuture<Acquisition> got = new CompletableFuture<>();
    Thread asking =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    got.complete(permits.tryAcquire());
                  } catch (InterruptedException e) {
                    got.completeExceptionally(e);
                  }
                });
    BlocksFixture.awaitBlocked(asking);
    fixture.advance(Duration.ofSeconds(5));

    assertThat(got.get()).isInstanceOf(Acquisition.Failed.class);
    assertThat(fixture.sent().stream().map(Command::key).distinct()).hasSize(1);
  }

  @Test
  void aWaiterOutlastsAnOutageOfTheStore() throws Exception {
    fixture.storeTakesBatches(
        batch -> CompletableFuture.failedFuture(new IllegalStateException("away")));
    Waiting waiting = waiting(permits, Duration.ofMinutes(5));
    fixture.advance(Duration.ofSeconds(6));
    fixture.awaitSentTo(COUNT);
    BlocksFixture.awaitBlocked(waiting.thread());

    fixture.storeIsAsBefore();
    fixture.advance(Duration.ofSeconds(30));

    Lease got = BlocksFixture.lease(waiting.got().get());
    assertThat(held()).containsExactly(got.key().text());
  }

  @Test
  void workRunsUnderAPermitAndIsSkippedWithoutOne() throws Exception {
    assertThat(permits.call(Duration.ZERO, lease -> lease.key().kind()))
        .isEqualTo(new WorkResult.Done<>("permit"));
    takeAll();

    assertThat(others.runIfFree(lease -> {})).isInstanceOf(WorkResult.NotHeld.class);
  }

  @Test
  void aRequestThatCannotBeKeptIsRefusedWhileWaitingToo() throws Exception {
    takeAll();
    Permits hasty = others.refined(r -> r.ttl(Duration.ofMillis(1)));

    assertThatThrownBy(() -> hasty.acquire(Duration.ofMinutes(1)))
        .isInstanceOf(IllFormedException.class);
  }

  @Test
  void permitsHaveABoundAndACharter() {
    assertThatThrownBy(() -> Locks.on(leases).permits("api", 0))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("0 permits: there are 1 to 64");
    assertThat(leases.charters()).contains(Permits.charter());
  }
}
