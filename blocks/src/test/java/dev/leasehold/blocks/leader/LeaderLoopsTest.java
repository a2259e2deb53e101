package dev.leasehold.blocks.leader;

import static dev.leasehold.blocks.leader.ElectionFixture.await;
import static dev.leasehold.blocks.leader.ElectionFixture.awaitRole;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.kernel.LeaseLostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops that run only while the replica leads, on threads, in time that the test controls. */
@Timeout(60)
class LeaderLoopsTest {
  private static final Duration TTL = Duration.ofSeconds(30);

  private final ElectionFixture fixture = new ElectionFixture();
  private final ElectionFixture.House anna = fixture.house("anna");
  private final ElectionFixture.House ben = fixture.house("ben");

  /** A loop that runs until it is told to end. */
  private LeaderLoop obedient(String name, ElectionFixture.House house) {
    return LeaderLoop.stream(
        name,
        leading -> {
          fixture.write(house.name + "'s " + name + " begins");
          leading.ending().toCompletableFuture().get();
          fixture.write(house.name + "'s " + name + " ends");
        });
  }

  private void awaitNews(String line) {
    await(() -> fixture.news().contains(line));
  }

  /** A loop that ignores its interrupt until the test releases it. */
  private static LeaderLoop stubborn(CountDownLatch begun, AtomicBoolean letGo) {
    return LeaderLoop.stream(
        "stubborn",
        leading -> {
          begun.countDown();
          while (!letGo.get()) {
            Thread.onSpinWait();
          }
        });
  }

  @Test
  void loopsRunOnTheLeaderAndOnNoOtherReplica() {
    AtomicInteger elsewhere = new AtomicInteger();
    Semaphore sweeps = new Semaphore(0);
    Election leader =
        anna.election()
            .loop(obedient("watch", anna))
            .loop(LeaderLoop.sweep("reconcile", Duration.ofSeconds(60), l -> sweeps.release()))
            .start();
    Election candidate =
        ben.election()
            .loop(LeaderLoop.stream("watch", l -> elsewhere.incrementAndGet()))
            .loop(
                LeaderLoop.sweep(
                    "reconcile", Duration.ofSeconds(1), l -> elsewhere.incrementAndGet()))
            .start();
    awaitNews("anna's watch begins");
    await(() -> sweeps.availablePermits() == 1 && isResting(leader));
    fixture.advance(Duration.ofSeconds(66));
    await(() -> sweeps.availablePermits() == 2);
    assertThat(elsewhere).hasValue(0);
    assertThat(candidate.status().role()).isEqualTo(Role.CANDIDATE);
    assertThat(leader.status().stillRunning()).contains("watch");
  }

  private static boolean isResting(Election election) {
    return election.status().loops().stream()
        .anyMatch(loop -> loop.activity() == LoopStatus.Activity.RESTING);
  }

  @Test
  void onClosingLoopsStopFirstThenTheLeaseIsReleasedAndAStandbyTakesOver() {
    Election leader = anna.election().loop(obedient("watch", anna)).start();
    ben.election().loop(obedient("watch", ben)).start();
    awaitNews("anna's watch begins");
    leader.close();
    fixture.advance(Duration.ofMillis(1));
    awaitNews("ben's watch begins");
    assertThat(fixture.news())
        .containsSubsequence(
            "anna elected",
            "anna's watch begins",
            "anna ending",
            "anna's watch ends",
            "ben elected",
            "ben's watch begins");
  }

  @Test
  void aLoopThatIgnoresTheEndIsInterruptedAfterTheGrace() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> toldBefore = new CompletableFuture<>();
    Election election =
        anna.election()
            .loop(
                LeaderLoop.stream(
                    "deaf",
                    leading -> {
                      begun.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } catch (InterruptedException e) {
                        toldBefore.complete(leading.isEnding());
                      }
                    }))
            .start();
    begun.await();
    CompletableFuture<StepDownResult> resignation = election.stepDown().toCompletableFuture();
    fixture.advance(Duration.ofMillis(2_999));
    assertThat(toldBefore).isNotDone();
    assertThat(fixture.holder()).as("the lease is kept meanwhile").contains("anna");
    fixture.advance(Duration.ofMillis(1));
    assertThat(toldBefore.get(60, SECONDS)).isTrue();
    assertThat(resignation.get(60, SECONDS)).isInstanceOf(StepDownResult.SteppedDown.class);
    assertThat(fixture.holder()).isEmpty();
  }

  @Test
  void aLoopThatIgnoresEvenInterruptsBlocksCandidacyAndTheStatusSaysSo() throws Exception {
    AtomicBoolean letGo = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Election election = anna.election().loop(stubborn(begun, letGo)).start();
    begun.await();
    anna.cutOff();
    fixture.advance(TTL);
    anna.reconnect();
    fixture.advance(Duration.ofMinutes(10));
    assertThat(election.status().role()).isEqualTo(Role.STEPPING_DOWN);
    assertThat(election.status().stillRunning()).containsExactly("stubborn");
    assertThat(election.status().term()).isEmpty();
    assertThat(fixture.holder()).as("no replica has asked for it").isEmpty();
    assertThat(fixture.news())
        .containsExactly("anna elected", "anna ending", "anna lost by Unreachable");

    letGo.set(true);
    await(() -> fixture.news().size() == 4);
    assertThat(fixture.news()).endsWith("anna elected");
    awaitRole(election, Role.LEADER);
  }

  @Test
  void closingDoesNotWaitForEverForALoopThatIgnoresInterruptsAndItsLeaseRunsOut() {
    AtomicBoolean letGo = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Election election = anna.election().loop(stubborn(begun, letGo)).start();
    await(() -> begun.getCount() == 0);
    Thread closer = Thread.ofPlatform().daemon().start(election::close);
    await(() -> closer.getState() == Thread.State.TIMED_WAITING);
    fixture.advance(Duration.ofSeconds(16));
    await(() -> !closer.isAlive());
    assertThat(fixture.holder()).as("it still runs").contains("anna");
    assertThatThrownBy(() -> anna.election().start())
        .as("and is in the way of another election")
        .isInstanceOf(IllegalStateException.class);
    letGo.set(true);
    await(() -> fixture.holder().isEmpty());
    assertThat(fixture.news())
        .containsExactly("anna elected", "anna ending", "anna lost by Released");
  }

  /** As after {@code Leases} was closed: then no timer fires any more. */
  @Test
  void closingDoesNotWaitForEverEvenIfNoTimeIsTold() {
    AtomicBoolean letGo = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Election election = anna.election().loop(stubborn(begun, letGo)).start();
    await(() -> begun.getCount() == 0);
    election.close(Duration.ofMillis(1));
    assertThat(election.status().role()).isEqualTo(Role.STEPPING_DOWN);
    letGo.set(true);
    awaitRole(election, Role.CLOSED);
  }

  @Test
  void aLoopThatFailsIsReportedAndBegunAgainAndCostsNoLease() {
    AtomicInteger runs = new AtomicInteger();
    Election election =
        anna.election()
            .loop(
                LeaderLoop.stream(
                    "shaky",
                    leading -> {
                      runs.incrementAndGet();
                      throw new IllegalStateException("again");
                    }))
            .start();
    for (int i = 1; i <= 5; i++) {
      int failures = i;
      await(() -> election.status().loops().getFirst().failures() >= failures);
      fixture.advance(Duration.ofMinutes(1));
    }
    assertThat(runs.get()).isGreaterThanOrEqualTo(5);
    assertThat(election.status().role()).isEqualTo(Role.LEADER);
    assertThat(election.status().loops().getFirst().lastFailure().orElseThrow()).contains("again");
    assertThat(fixture.news()).startsWith("anna elected", "anna failed in shaky");
    assertThat(fixture.news()).doesNotContain("anna ending");
  }

  /** The other loop continues to report progress, and the lease is renewed meanwhile. */
  @Test
  void oneLoopThatHangsCostsTheLease() throws Exception {
    CountDownLatch hung = new CountDownLatch(1);
    CompletableFuture<Leading> lively = new CompletableFuture<>();
    Election election =
        anna.election()
            .allowance(Duration.ofMinutes(1))
            .loop(
                LeaderLoop.stream(
                    "lively",
                    leading -> {
                      lively.complete(leading);
                      leading.ending().toCompletableFuture().get();
                    }))
            .loop(
                LeaderLoop.stream(
                    "hanging",
                    leading -> {
                      hung.countDown();
                      new CountDownLatch(1).await();
                    }))
            .start();
    hung.await();
    Leading leading = lively.get(60, SECONDS);
    for (int second = 0; second < 60; second++) {
      leading.progressed();
      fixture.advance(Duration.ofSeconds(1));
    }
    assertThat(election.status().role()).as("within its allowance").isEqualTo(Role.LEADER);
    for (int second = 0; second < 80 && !leading.isEnding(); second++) {
      fixture.advance(Duration.ofSeconds(1));
      if (leading.trust().isPositive()) {
        leading.progressed();
      }
    }
    assertThat(fixture.news()).contains("anna lost by Stalled");
    assertThatThrownBy(leading::ensureLeading).isInstanceOf(LeaseLostException.class);
    awaitRole(election, Role.STANDBY);
  }

  @Test
  void loopsThatMoveOrRestKeepTheLease() throws Exception {
    CompletableFuture<Leading> moving = new CompletableFuture<>();
    Semaphore sweeps = new Semaphore(0);
    Election election =
        anna.election()
            .allowance(Duration.ofMinutes(1))
            .loop(
                LeaderLoop.stream(
                    "moving",
                    leading -> {
                      moving.complete(leading);
                      leading.ending().toCompletableFuture().get();
                    }))
            .loop(LeaderLoop.sweep("rare", Duration.ofHours(1), l -> sweeps.release()))
            .start();
    Leading leading = moving.get(60, SECONDS);
    sweeps.acquire();
    await(() -> isResting(election));
    for (int i = 0; i < 40; i++) {
      leading.progressed();
      fixture.advance(Duration.ofSeconds(30));
    }
    assertThat(fixture.news()).containsExactly("anna elected");
    assertThat(election.status().role()).isEqualTo(Role.LEADER);
  }

  /**
   * Seed 004: the term is lost during a write in flight; exactly one of the two writes takes
   * effect.
   */
  @Test
  void aWriteThatWasUnderWayWhenTheTermWasLostIsRefusedWhereTheSuccessorHasWritten()
      throws Exception {
    MemoryFence orders = new MemoryFence("orders", new RefusalTrail(() -> Instant.EPOCH));
    CompletableFuture<Leading> old = new CompletableFuture<>();
    anna.election()
        .loop(
            LeaderLoop.stream(
                "writer",
                leading -> {
                  old.complete(leading);
                  leading.ending().toCompletableFuture().get();
                }))
        .start();
    Election successor = ben.election().start();
    Leading paused = old.get(60, SECONDS);
    paused.ensureLeading();

    anna.cutOff();
    fixture.advance(TTL.plusMillis(200));
    LeaderWorkResult<Admission> second =
        successor.whileLeading(Duration.ZERO, leading -> orders.admit(leading.claim()));
    assertThat(second).isEqualTo(new LeaderWorkResult.Done<>(new Admission.Admitted()));
    assertThat(orders.admit(paused.claim())).isInstanceOf(Admission.Stale.class);
  }

  @Test
  void aLoopOfTheSameNameIsRefused() {
    ElectionBuilder builder = anna.election().loop(obedient("watch", anna));
    assertThatThrownBy(() -> builder.loop(obedient("watch", anna)))
        .isInstanceOf(IllFormedException.class);
    assertThatThrownBy(() -> obedient("watch", anna).jitter(Duration.ofSeconds(1)))
        .isInstanceOf(IllFormedException.class);
    assertThat(obedient("watch", anna).allowance()).isEqualTo(Optional.empty());
  }
}
