package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.blocks.leader.LeaderLoop;
import dev.leasehold.blocks.leader.Term;
import dev.leasehold.blocks.locks.Locks;
import dev.leasehold.blocks.locks.Permits;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Locks, permits and leaders through two servers on one SQLite file, one of which is stopped. */
@Timeout(600)
@SuppressWarnings("NullAway.Init") // JUnit opens them before each test
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class BlocksThroughServerTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final LeaseCharter LASTING =
      LeaseCharter.of("lock", LeaseCharter.Payload.EXCLUSION, "what outlasts a restart").ttl(LONG);

  @TempDir private Path folder;
  private JdbcStore behind;
  private JdbcStore behindToo;
  private LeaseholdServer first;
  private LeaseholdServer second;
  private RemoteStore here;
  private RemoteStore there;
  private Leases ann;
  private Leases bob;

  @BeforeEach
  void open() {
    String url = "sqlite:" + folder.resolve("leases.db");
    behind = JdbcStore.at(url).migrate().open();
    behindToo = JdbcStore.at(url).migrate().open();
    first = LeaseholdServer.on(behind).start();
    second = LeaseholdServer.on(behindToo).start();
    here = client();
    there = client();
    ann = Leases.on(here).holder("ann").open();
    bob = Leases.on(there).holder("bob").open();
  }

  private RemoteStore client() {
    return RemoteStore.at(first.address().toString(), second.address().toString()).open();
  }

  @AfterEach
  void close() {
    ann.close();
    bob.close();
    here.close();
    there.close();
    first.close();
    second.close();
    behind.close();
    behindToo.close();
  }

  private Grant grant(LeaseKey key) {
    return behindToo
        .leases()
        .read(key)
        .toCompletableFuture()
        .join()
        .flatMap(reading -> reading.record().currentGrant())
        .orElseThrow();
  }

  /** Returns when the store has seen a new renewal. */
  private void awaitRenewal(Lease lease) {
    long before = grant(lease.key()).renewedAtMillis();
    while (grant(lease.key()).renewedAtMillis() == before) {
      Thread.onSpinWait();
    }
    lease.ensureHeld();
  }

  private static Lease acquired(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  @Test
  void aLockIsHeldOnWhenOneOfTwoServersIsStopped() throws Exception {
    Locks mine = Locks.on(ann);
    Locks theirs = Locks.on(bob);
    WorkResult<Token> tenure =
        mine.run(
            Locks.named("report").ttl(Duration.ofSeconds(15)),
            Duration.ZERO,
            lease -> {
              first.close();
              awaitRenewal(lease);
              assertThat(theirs.tryLock("report")).isInstanceOf(Acquisition.Held.class);
            });
    assertThat(tenure).isInstanceOf(WorkResult.Done.class);
    Lease next = theirs.lock("report", LONG);
    assertThat(next.token()).isGreaterThan(((WorkResult.Done<Token>) tenure).result());
  }

  @Test
  void aLockIsHeldOnWhenItsOnlyServerIsRestarted() throws Exception {
    int port = first.address().getPort();
    try (RemoteStore store = RemoteStore.at(first.address().toString()).open();
        Leases leases = Leases.on(store).holder("cleo").charter(LASTING).open()) {
      Lease lease = acquired(Locks.on(leases).tryLock(Locks.named("restart").ttl(LONG)));
      first.close();
      first = LeaseholdServer.on(behind).port(port).start();
      assertThat(acquired(Locks.on(leases).tryLock("another")).token()).isNotNull();
      lease.ensureHeld();
      lease.close();
      assertThat(Locks.on(bob).lock("restart", LONG).token()).isGreaterThan(lease.token());
    }
  }

  @Test
  void whoWaitsForALockIsToldThroughTheOtherServer() throws Exception {
    Lease held = acquired(Locks.on(ann).tryLock("wait"));
    var waiting = bob.acquireAsync(Locks.named("wait"), LONG);
    first.close();
    held.close();
    assertThat(acquired(waiting.get()).token()).isGreaterThan(held.token());
  }

  @Test
  void permitsAreCountedByTheStoreAndNotByAServer() throws Exception {
    Permits mine = Locks.on(ann).permits("pool", 2);
    Permits theirs = Locks.on(bob).permits("pool", 2);
    Lease one = acquired(mine.tryAcquire());
    Lease two = acquired(theirs.tryAcquire());
    assertThat(one.key()).isNotEqualTo(two.key());
    assertThat(theirs.tryAcquire()).isInstanceOf(Acquisition.NotAcquired.class);
    first.close();
    assertThat(mine.tryAcquire()).isInstanceOf(Acquisition.NotAcquired.class);
    one.close();
    assertThat(acquired(theirs.acquire(LONG)).key()).isEqualTo(one.key());
  }

  private static Election reconciler(Leases leases, BlockingQueue<Term> swept) {
    return Election.on(leases)
        .named("reconciler")
        .loop(
            LeaderLoop.sweep(
                "reconcile",
                Duration.ofMillis(50),
                leading -> {
                  leading.ensureLeading();
                  leading.progressed();
                  swept.add(leading.term());
                }))
        .start();
  }

  private static Term next(BlockingQueue<Term> swept) throws InterruptedException {
    Term term = swept.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(term).as("a sweep").isNotNull();
    return java.util.Objects.requireNonNull(term);
  }

  @Test
  void aLeaderLeadsOnWithoutOneServerAndIsFollowedByTheNext() throws Exception {
    BlockingQueue<Term> mine = new LinkedBlockingQueue<>();
    BlockingQueue<Term> theirs = new LinkedBlockingQueue<>();
    Election ours = reconciler(ann, mine);
    try (Election other = reconcilerAfter(mine, theirs)) {
      Term term = next(mine);
      first.close();
      mine.clear();
      assertThat(next(mine).token()).as("the same term").isEqualTo(term.token());
      assertThat(theirs).isEmpty();
      ours.close();
      Term later = next(theirs);
      assertThat(later.holder()).isEqualTo("bob");
      assertThat(later.token()).isGreaterThan(term.token());
      assertThat(other.status().term()).isPresent();
    } finally {
      ours.close();
    }
  }

  /** Makes the order of the candidates known. */
  private Election reconcilerAfter(BlockingQueue<Term> before, BlockingQueue<Term> swept)
      throws InterruptedException {
    before.add(next(before));
    return reconciler(bob, swept);
  }
}
