package dev.leasehold.blocks.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.BlocksFixture;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LocksTest {
  private static final String KEY = "lock/report";

  private final BlocksFixture fixture = new BlocksFixture();
  private final Leases leases = fixture.process("one");
  private final Locks locks = Locks.on(leases);
  private final Locks others = Locks.on(fixture.process("two"));

  @Test
  void workRunsUnderTheLockAndGivesItBack() throws Exception {
    List<String> seen = new ArrayList<>();

    WorkResult<Token> ran =
        locks.runIfFree("report", lease -> seen.add(fixture.holderOf(KEY).orElse("nobody")));

    assertThat(ran)
        .isInstanceOfSatisfying(
            WorkResult.Done.class,
            done -> assertThat(((Token) done.result()).counter()).isEqualTo(1));
    assertThat(seen).containsExactly("one");
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void workThatFindsItsLockHeldIsSkipped() throws Exception {
    Lease held = BlocksFixture.lease(locks.tryLock("report"));

    WorkResult<Token> skipped =
        others.runIfFree(
            "report",
            lease -> {
              throw new AssertionError("it ran");
            });

    assertThat(skipped)
        .isInstanceOfSatisfying(
            WorkResult.NotHeld.class,
            notHeld ->
                assertThat(notHeld.why())
                    .isEqualTo(
                        new Acquisition.Held(
                            "one", leases.instanceId(), held.token(), Duration.ofSeconds(30))));
  }

  @Test
  void workHasAResult() throws Exception {
    assertThat(locks.callIfFree("report", lease -> "written"))
        .isEqualTo(new WorkResult.Done<>("written"));
  }

  @Test
  void workThatFailsGivesItsLockBack() {
    assertThatThrownBy(
            () ->
                locks.runIfFree(
                    "report",
                    lease -> {
                      throw new IllegalArgumentException("no data");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void aLockIsNotReentrant() throws Exception {
    WorkResult<WorkResult<Token>> outer =
        locks.callIfFree("report", lease -> locks.runIfFree("report", inner -> {}));

    assertThat(outer)
        .isInstanceOfSatisfying(
            WorkResult.Done.class,
            done -> assertThat(done.result()).isInstanceOf(WorkResult.NotHeld.class));
  }

  @Test
  void aLockBelongsToNoThread() throws Exception {
    Lease lease = BlocksFixture.lease(locks.tryLock("report"));
    Thread other = Thread.ofPlatform().start(lease::close);
    other.join();

    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void aWaiterGetsTheLockWhenTheHolderReleasesIt() throws Exception {
    Lease held = BlocksFixture.lease(locks.tryLock("report"));
    CompletableFuture<Lease> waited = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    waited.complete(others.lock("report", Duration.ofMinutes(1)));
                  } catch (InterruptedException e) {
                    waited.completeExceptionally(e);
                  }
                });
    BlocksFixture.awaitBlocked(waiting);

    held.close();

    assertThat(waited.get().token().counter()).isEqualTo(2);
  }

  @Test
  void aWaiterThatTimesOutIsToldWhoHoldsTheLock() throws Exception {
    BlocksFixture.lease(locks.tryLock("report"));
    CompletableFuture<Lease> waited = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    waited.complete(others.lock("report", Duration.ofSeconds(5)));
                  } catch (InterruptedException | LockNotAcquiredException e) {
                    waited.completeExceptionally(e);
                  }
                });
    BlocksFixture.awaitBlocked(waiting);
    fixture.advance(Duration.ofSeconds(5));

    assertThatThrownBy(waited::join)
        .cause()
        .isInstanceOfSatisfying(
            LockNotAcquiredException.class,
            e -> {
              assertThat(e.key().text()).isEqualTo(KEY);
              assertThat(e.why()).isInstanceOf(Acquisition.Held.class);
            })
        .hasMessageMatching("lock/report is held by .* under token \\d+, for \\d+ ms .*");
  }

  @Test
  void anActiveLockCannotBeTakenAndAnExpiredOneCan() throws Exception {
    Lease lease = BlocksFixture.lease(locks.tryLock("report"));
    fixture.advance(Duration.ofMinutes(10));
    assertThat(others.tryLock("report")).isInstanceOf(Acquisition.Held.class);

    fixture.pause(Duration.ofSeconds(31));

    assertThat(BlocksFixture.lease(others.tryLock("report")).token().counter()).isEqualTo(2);
    assertThat(lease.trust()).isZero();
  }

  @Test
  void aLockIsHeldForAtLeastAsLongAsWasSaid() throws Exception {
    LeaseRequest hourly = Locks.named("report").atLeastFor(Duration.ofMinutes(50));
    assertThat(locks.run(hourly, Duration.ZERO, lease -> {})).isInstanceOf(WorkResult.Done.class);

    fixture.advance(Duration.ofMinutes(49));
    assertThat(others.tryLock("report")).isInstanceOf(Acquisition.Held.class);

    fixture.advance(Duration.ofMinutes(1));
    assertThat(others.tryLock("report")).isInstanceOf(Acquisition.Acquired.class);
  }

  @Test
  void workThatTakesLongerThanWasSaidLosesItsLock() throws Exception {
    WorkResult<Token> tenure =
        locks.run(
            Locks.named("report").atMostFor(Duration.ofMinutes(5)),
            Duration.ZERO,
            lease -> {
              fixture.advance(Duration.ofMinutes(5));
              assertThat(Thread.interrupted()).isTrue();
            });

    assertThat(tenure)
        .isInstanceOfSatisfying(
            WorkResult.LostMeanwhile.class,
            lost -> assertThat(lost.reason()).isEqualTo(new LossReason.OutOfTime()));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void onlyLocksAreTaken() {
    assertThatThrownBy(() -> locks.tryLock(LeaseRequest.of("leader/report")))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("leader/report is no lock");
  }

  @Test
  void locksHaveACharterAndTheUsersOwnGoesBefore() {
    assertThat(leases.charters()).containsExactly(Locks.charter());
    LeaseCharter own = Locks.charter().ttl(Duration.ofMinutes(2));
    Leases theirs = fixture.builder("three").charter(own).open();

    Locks unused = Locks.on(theirs);

    assertThat(theirs.charters()).containsExactly(own);
  }
}
