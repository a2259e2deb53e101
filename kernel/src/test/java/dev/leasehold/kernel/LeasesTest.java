package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.awaitBlocked;
import static dev.leasehold.kernel.LeasesFixture.lease;
import static java.time.temporal.ChronoUnit.FOREVER;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.LeaseChange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The public API on a memory store. */
@Timeout(120)
class LeasesTest {
  private static final String KEY = "lock/report";
  private static final LeaseRequest REQUEST =
      LeaseRequest.of(KEY).ttl(Duration.ofSeconds(30)).grace(Duration.ofSeconds(3));
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LeasesFixture fixture = new LeasesFixture();
  private final Leases anna = fixture.process("anna");
  private final Leases ben = fixture.process("ben");

  @AfterEach
  void theThreadIsNotLeftInterrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aLeaseIsHadRenewedAndGivenBack() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    assertThat(lease.trust()).isEqualTo(Duration.ofSeconds(27));
    fixture.advance(Duration.ofMinutes(10));
    lease.ensureHeld();
    lease.progressed();
    assertThat(lease.lossReason()).isEmpty();
    assertThat(fixture.holderOf(KEY)).contains("anna");

    assertThat(lease.release()).isEqualTo(new Release.Released());
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void whoDoesNotWaitIsToldWhoHasIt() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));

    assertThat(ben.tryAcquire(REQUEST))
        .isEqualTo(
            new Acquisition.Held("anna", anna.instanceId(), lease.token(), Duration.ofSeconds(30)));
    assertThat(ben.acquire(REQUEST, Duration.ofSeconds(-1))).isInstanceOf(Acquisition.Held.class);
  }

  @Test
  void aReleaseWakesWhoWaitsInAnotherProcess() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    CompletableFuture<Acquisition> waiting = ben.acquireAsync(REQUEST, FOREVER.getDuration());
    assertThat(waiting).isNotDone();
    lease.close();

    assertThat(lease(waiting.get(60, SECONDS)).token().isAbove(lease.token())).isTrue();
  }

  @Test
  void aCrashedHolderIsFollowedWhenItsTimeIsUp() throws Exception {
    Leases crashed = Leases.on(fixture.store).ticker(() -> 0).scheduler((w, d) -> () -> {}).open();
    lease(crashed.tryAcquire(REQUEST));
    CompletableFuture<Acquisition> waiting = ben.acquireAsync(REQUEST, MINUTE);
    fixture.advance(Duration.ofMillis(30_100));

    assertThat(waiting.get(60, SECONDS)).isInstanceOf(Acquisition.Acquired.class);
  }

  @Test
  void aHandleRefusesUseAfterItIsLostOrClosedAndSaysWhy() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.revoke(KEY);
    fixture.advance(Duration.ofSeconds(10));
    assertThatThrownBy(lease::ensureHeld)
        .isInstanceOfSatisfying(
            LeaseLostException.class,
            e -> assertThat(e.reason()).isEqualTo(new LossReason.Revoked("op", "stuck")));
    assertThatThrownBy(lease::progressed).isInstanceOf(LeaseLostException.class);
    assertThat(lease.lost().toCompletableFuture().get(60, SECONDS))
        .isEqualTo(new LossReason.Revoked("op", "stuck"));
    assertThat(lease.release())
        .isEqualTo(new Release.AlreadyOver(new LossReason.Revoked("op", "stuck")));

    Lease closed = lease(ben.tryAcquire(REQUEST));
    closed.close();
    closed.close();
    assertThatThrownBy(closed::ensureHeld).hasMessageContaining("Released");
  }

  @Test
  void trustThatRanOutInAPauseIsSeenBeforeTheEngineReportsIt() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.pause(Duration.ofSeconds(27));

    assertThat(lease.trust()).isZero();
    assertThat(lease.lossReason()).contains(new LossReason.Unreachable());
    assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aStepThatNeedsMoreTrustThanIsLeftIsRefusedWithoutALoss() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.pause(Duration.ofMillis(25_800));

    lease.ensureHeldFor(Duration.ofMillis(1_200));
    assertThatThrownBy(() -> lease.ensureHeldFor(Duration.ofSeconds(5)))
        .isInstanceOfSatisfying(
            TooLittleTrustException.class,
            e -> {
              assertThat(e.left()).isEqualTo(Duration.ofMillis(1_200));
              assertThat(e.asked()).isEqualTo(Duration.ofSeconds(5));
            })
        .hasMessage(
            "the lease on lock/report is held, but only 1.200 s of trust are left, and 5.000 s are"
                + " asked for");
    assertThatThrownBy(() -> lease.ensureHeldFor(FOREVER.getDuration()))
        .isInstanceOf(TooLittleTrustException.class);
    fixture.pause(Duration.ofMillis(1_200));
    assertThatThrownBy(() -> lease.ensureHeldFor(Duration.ofSeconds(5)))
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("is over: Unreachable");
  }

  @Test
  void workThatGivesItsLeaseBackByItselfIsDone() throws Exception {
    assertThat(anna.whileHeld(REQUEST, MINUTE, Lease::release))
        .isEqualTo(new WorkResult.Done<>(new Release.Released()));
    assertThatThrownBy(
            () ->
                anna.whileHeld(
                    REQUEST,
                    MINUTE,
                    held -> {
                      held.close();
                      throw new IOException("its own");
                    }))
        .hasMessage("its own");
  }

  @Test
  void workThatGivesItsLeaseBackTooLateIsNotDone() throws Exception {
    WorkResult<Release> tenure =
        anna.whileHeld(
            REQUEST,
            MINUTE,
            held -> {
              fixture.pause(Duration.ofSeconds(28));
              return held.release();
            });

    assertThat(tenure)
        .isEqualTo(new WorkResult.LostMeanwhile<>(new LossReason.Unreachable(), Optional.empty()));
  }

  @Test
  void workRunsWhileHeldAndSaysWhatBecameOfIt() throws Exception {
    assertThat(anna.whileHeld(REQUEST, MINUTE, held -> "result"))
        .isEqualTo(new WorkResult.Done<>("result"));
    assertThat(fixture.holderOf(KEY)).isEmpty();
    assertThatThrownBy(
            () ->
                anna.whileHeld(
                    REQUEST,
                    MINUTE,
                    held -> {
                      throw new IOException("its own");
                    }))
        .hasMessage("its own");
    Lease other = lease(ben.tryAcquire(REQUEST));
    assertThat(anna.whileHeld(REQUEST, Duration.ZERO, held -> "never"))
        .isInstanceOf(WorkResult.NotHeld.class);
    other.close();
  }

  @Test
  void workThatLosesItsLeaseIsInterruptedAndToldWhy() throws Exception {
    WorkResult<String> tenure =
        anna.whileHeld(
            REQUEST,
            MINUTE,
            held -> {
              fixture.revoke(KEY);
              fixture.advance(Duration.ofSeconds(10));
              new CountDownLatch(1).await();
              return "never";
            });

    assertThat(tenure)
        .isInstanceOfSatisfying(
            WorkResult.LostMeanwhile.class,
            lost -> {
              assertThat(lost.reason()).isEqualTo(new LossReason.Revoked("op", "stuck"));
              assertThat(lost.thrown().orElseThrow()).isInstanceOf(InterruptedException.class);
            });
  }

  @Test
  void workThatWasPausedPastItsTrustIsNotDone() throws Exception {
    WorkResult<String> tenure =
        anna.whileHeld(
            REQUEST,
            MINUTE,
            held -> {
              fixture.pause(Duration.ofMinutes(5));
              return "too late";
            });

    assertThat(tenure)
        .isEqualTo(new WorkResult.LostMeanwhile<>(new LossReason.Unreachable(), Optional.empty()));
  }

  @Test
  void anInterruptedCallerLeavesNothingBehind() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    ben.acquire(REQUEST, MINUTE);
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                });
    awaitBlocked(waiting);
    waiting.interrupt();
    assertThat(interrupted.await(60, SECONDS)).isTrue();
    lease.close();

    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void aFutureThatIsCancelledOrTimesOutLeavesNothingBehind() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    CompletableFuture<Acquisition> cancelled = ben.acquireAsync(REQUEST, MINUTE);
    CompletableFuture<Acquisition> timedOut = ben.acquireAsync(REQUEST, MINUTE);
    CompletableFuture<Acquisition> replaced = ben.acquireAsync(REQUEST, MINUTE);
    cancelled.cancel(true);
    timedOut.completeExceptionally(new TimeoutException("as orTimeout does"));
    replaced.complete(new Acquisition.Changed());
    lease.close();

    assertThat(fixture.holderOf(KEY)).isEmpty();
    assertThat(ben.tryAcquire(REQUEST)).isInstanceOf(Acquisition.Acquired.class);
  }

  @Test
  void aStoreThatIsGoneIsAClearErrorSoonAndCostsNoLeaseItsTtlKeeps() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.storeGoes();
    CompletableFuture<Acquisition> asked = ben.acquireAsync(REQUEST, Duration.ZERO);
    fixture.advance(Duration.ofSeconds(5));
    assertThat(asked.get(60, SECONDS)).isInstanceOf(Acquisition.Failed.class);

    fixture.advance(Duration.ofSeconds(18));
    lease.ensureHeld();
    fixture.storeComesBack();
    fixture.advance(Duration.ofSeconds(60));
    lease.ensureHeld();
  }

  @Test
  void targetsAreSealedBeforeTheCallersCodeRuns() throws Exception {
    List<String> order = new ArrayList<>();
    Seal seal =
        Seal.of(
            "table",
            claim -> {
              order.add("sealed with " + claim.token());
              return new Admission.Admitted();
            });
    anna.whileHeld(REQUEST.sealing(seal), MINUTE, held -> order.add("ran under " + held.token()));

    assertThat(order).hasSize(2);
    assertThat(order.getFirst()).startsWith("sealed");
  }

  @Test
  void aTargetThatCannotBeSealedBlocksOrIsAHole() throws Exception {
    Seal.Action failing =
        claim -> {
          throw new IOException("unplugged");
        };
    Seal blocks = Seal.of("table", failing);
    Seal hole = Seal.of("cache", failing).whenUnsealed(LeaseCharter.Unsealed.IS_A_HOLE);

    assertThat(anna.tryAcquire(REQUEST.sealing(blocks)))
        .isEqualTo(new Acquisition.Unsealed("table", "java.io.IOException: unplugged"));
    assertThat(fixture.holderOf(KEY)).isEmpty();
    lease(anna.tryAcquire(REQUEST.sealing(hole))).close();
  }

  @Test
  void anErrorWhileSealingLeavesNoLeaseBehind() {
    Seal broken =
        Seal.of(
            "table",
            claim -> {
              throw new LinkageError("planted");
            });

    assertThatThrownBy(() -> anna.tryAcquire(REQUEST.sealing(broken)))
        .isInstanceOf(LinkageError.class);
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void aLeaseThatRunsOutWhileItsTargetsAreSealedIsNotHad() throws Exception {
    Seal slow =
        Seal.of(
            "table",
            claim -> {
              fixture.pause(Duration.ofSeconds(28));
              return new Admission.Admitted();
            });

    assertThat(anna.tryAcquire(REQUEST.sealing(slow))).isInstanceOf(Acquisition.Failed.class);
  }

  @Test
  void closingGivesBackOnlyWhatIsClosed() throws Exception {
    List<LeaseChange.Kind> changes = fixture.changes();
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Thread closing = Thread.ofPlatform().daemon().start(anna::close);
    awaitBlocked(closing);
    lease.ending().toCompletableFuture().get(60, SECONDS);
    lease.ensureHeld();
    fixture.advance(Duration.ofSeconds(3));
    assertThat(lease.lossReason()).contains(new LossReason.Released());
    assertThat(changes).as("its work still runs").containsExactly(LeaseChange.Kind.GRANTED);
    assertThat(closing.isAlive()).isTrue();

    lease.close();
    closing.join(60_000);
    assertThat(closing.isAlive()).isFalse();
    assertThat(changes).contains(LeaseChange.Kind.RELEASED);
    assertThat(anna.tryAcquire(REQUEST)).isEqualTo(new Acquisition.Cancelled());
  }

  @Test
  void closingWaitsForAGraceThatIsLongerThanItWouldWaitForAStore() throws Exception {
    Lease lease =
        lease(anna.tryAcquire(REQUEST.ttl(Duration.ofMinutes(1)).grace(Duration.ofSeconds(15))));
    CompletableFuture<String> work = new CompletableFuture<>();
    Lease.Binding binding = lease.bind(work);
    Thread closing = Thread.ofPlatform().daemon().start(anna::close);
    awaitBlocked(closing);
    fixture.advance(Duration.ofSeconds(14));
    lease.ensureHeld();
    fixture.advance(Duration.ofSeconds(1));
    assertThatThrownBy(() -> work.get(60, SECONDS)).isInstanceOf(CancellationException.class);
    assertThat(closing.isAlive()).isTrue();

    binding.close();
    lease.close();
    closing.join(60_000);
    assertThat(closing.isAlive()).isFalse();
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void closingLeavesWhatStaysOpenToRunOut() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Thread closing = Thread.ofPlatform().daemon().start(anna::close);
    awaitBlocked(closing);
    fixture.advance(Duration.ofSeconds(6));
    closing.join(60_000);

    assertThat(closing.isAlive()).isFalse();
    assertThat(lease.trust()).isZero();
    assertThat(fixture.holderOf(KEY)).contains("anna");
    fixture.advance(Duration.ofSeconds(30));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void whatCannotBeKeptIsRefusedBeforeAnythingIsSent() {
    assertThatThrownBy(() -> anna.tryAcquire(REQUEST.grace(Duration.ofSeconds(20))))
        .isInstanceOf(IllFormedException.class);
    assertThatThrownBy(() -> anna.tryAcquire(REQUEST.ttl(Duration.ofMillis(100))))
        .isInstanceOf(IllFormedException.class);
  }

  @Test
  void aHolderThatDoesNotProgressLosesTheLease() throws Exception {
    Lease stuck = lease(anna.tryAcquire(REQUEST.stallAfter(Duration.ofSeconds(25))));
    fixture.advance(Duration.ofSeconds(20));
    stuck.progressed();
    fixture.advance(Duration.ofSeconds(20));
    stuck.ensureHeld();
    fixture.advance(Duration.ofSeconds(30));

    assertThat(stuck.lossReason()).contains(new LossReason.Stalled());
  }
}
