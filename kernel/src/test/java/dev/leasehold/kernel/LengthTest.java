package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How long a lease is held at least and at most. */
class LengthTest {
  private static final String KEY = "lock/report";
  private static final LeaseRequest REQUEST = LeaseRequest.of(KEY).ttl(Duration.ofSeconds(30));

  private final LeasesFixture fixture = new LeasesFixture();
  private final Leases leases = fixture.process("one");

  private Lease held(LeaseRequest request) throws InterruptedException {
    return LeasesFixture.lease(leases.tryAcquire(request));
  }

  @Test
  void aKeyIsKeptFromOthersAfterItsWorkHasEndedAndIsFreeOnTime() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofSeconds(10)));
    fixture.advance(Duration.ofSeconds(1));

    assertThat(lease.release()).isEqualTo(new Release.Kept(Duration.ofSeconds(9)));

    assertThat(lease.trust()).isZero();
    fixture.advance(Duration.ofMillis(8_999));
    assertThat(fixture.holderOf(KEY)).contains("one");
    fixture.advance(Duration.ofMillis(1));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void workThatTookLongerGivesItsKeyBackAtOnce() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofSeconds(10)));
    fixture.advance(Duration.ofSeconds(10));

    assertThat(lease.release()).isEqualTo(new Release.Released());
  }

  /** Only the store keeps the key from others, since this process has died. */
  @Test
  void aProcessThatDiesAfterItsWorkDoesNotFreeTheKeyTooSoon() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10))).close();
    fixture.storeTakesBatches(batch -> new CompletableFuture<>());

    fixture.advance(Duration.ofMillis(599_999));
    assertThat(fixture.holderOf(KEY)).contains("one");
    fixture.advance(Duration.ofMillis(1));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void aProcessThatDiesLaterIsFollowedAfterItsTtlAndNotAfterTheLeast() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10)));
    fixture.advance(Duration.ofMinutes(20));
    fixture.storeTakesBatches(batch -> new CompletableFuture<>());

    fixture.advance(Duration.ofSeconds(30));

    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void renewalsOfAKeyThatIsKeptForLongerAreForTheTtl() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10)));
    fixture.advance(Duration.ofMinutes(1));

    List<Long> renewedFor =
        fixture.sent().stream()
            .filter(Command.Renew.class::isInstance)
            .map(command -> ((Command.Renew) command).ttlMillis().orElseThrow())
            .distinct()
            .toList();
    assertThat(renewedFor).containsExactly(30_000L);
  }

  @Test
  void itIsRenewedAsOftenAsTheRequestSays() throws Exception {
    held(REQUEST.renewEvery(Duration.ofSeconds(2)));
    fixture.advance(Duration.ofSeconds(20));

    // A tenth of each interval may be taken off at random.
    assertThat(fixture.sent().stream().filter(Command.Renew.class::isInstance))
        .hasSizeBetween(9, 12);
  }

  @Test
  void aClosedProcessLeavesTheKeyToTheStore() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10))).close();
    leases.close();

    assertThat(fixture.holderOf(KEY)).contains("one");
    fixture.advance(Duration.ofMinutes(10));
    assertThat(fixture.holderOf(KEY)).isEmpty();
    assertThat(fixture.sent()).noneMatch(Command.Release.class::isInstance);
  }

  @Test
  void aLeaseThatNoCallerGotIsNotKept() throws Exception {
    CompletableFuture<Acquisition> unsealed =
        fixture
            .process("two")
            .acquireAsync(
                LeaseRequest.of("lock/other")
                    .atLeastFor(Duration.ofMinutes(10))
                    .sealing(
                        Seal.of(
                            "target",
                            claim -> {
                              throw new IllegalStateException("away");
                            })),
                Duration.ZERO);

    assertThat(unsealed.join()).isInstanceOf(Acquisition.Unsealed.class);
    assertThat(fixture.holderOf("lock/other")).isEmpty();
  }

  /**
   * A lease that no caller got must not be kept for an hour because the store was away for a
   * minute.
   */
  @Test
  void whatIsDeclinedIsGivenBackThoughTheStoreIsAwayForLongerThanTheTtl() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofHours(1)));
    fixture.storeTakesBatches(
        batch -> CompletableFuture.failedFuture(new IllegalStateException("away")));
    Thread declining = Thread.ofPlatform().start(lease::decline);
    LeasesFixture.awaitBlocked(declining);
    fixture.advance(Duration.ofMinutes(1));
    fixture.storeComesBack();
    fixture.advance(Duration.ofSeconds(10));
    declining.join();

    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  /** A drift of 50 parts in a million over most of a day exceeds a tenth of the ttl. */
  @Test
  void aKeyThatIsKeptForLongIsNotLostToClocksThatDriftApart() throws Exception {
    fixture.storeTakesBatches(
        batch -> fixture.decide(batch).thenApply(outcomes -> inAHurry(outcomes, 50)));
    Lease lease = held(REQUEST.atLeastFor(Duration.ofHours(24)));

    fixture.advance(Duration.ofHours(20));

    assertThat(lease.lossReason()).isEmpty();
    assertThat(lease.trust()).isLessThan(Duration.ofHours(4));
  }

  /** The answers of a store whose clock runs that much faster. */
  private List<Outcome> inAHurry(List<Outcome> outcomes, int partsInAMillion) {
    long gained = fixture.passed().toMillis() * partsInAMillion / 1_000_000;
    return outcomes.stream()
        .<Outcome>map(
            outcome ->
                outcome instanceof Outcome.Renewed(long remaining)
                    ? new Outcome.Renewed(remaining - gained)
                    : outcome)
        .toList();
  }

  /**
   * First the store was unreachable, then the lease's own time limit passed; neither was reported.
   */
  @Test
  void theReasonOfALossIsTheFirstOneHoweverLateItIsAskedFor() throws Exception {
    Lease lease = held(REQUEST.atMostFor(Duration.ofMinutes(5)));
    fixture.storeGoes();

    fixture.pause(Duration.ofSeconds(30));
    assertThat(lease.lossReason()).contains(new LossReason.Unreachable());
    fixture.pause(Duration.ofMinutes(10));
    assertThat(lease.lossReason()).contains(new LossReason.Unreachable());
  }

  @Test
  void whatIsKeptCanStillBeDeclined() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofHours(1)));
    lease.close();
    lease.close();
    assertThat(fixture.holderOf(KEY)).contains("one");

    lease.decline();

    assertThat(fixture.holderOf(KEY)).isEmpty();
    fixture.advance(Duration.ofHours(2));
    assertThat(fixture.sent().stream().filter(Command.Release.class::isInstance)).hasSize(1);
  }

  @Test
  void aWaiterInTheSameProcessGetsTheKeyWhenTheLeastIsOverAndNotBefore() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofMinutes(10)));
    CompletableFuture<Acquisition> next = leases.acquireAsync(REQUEST, Duration.ofHours(1));
    lease.close();

    fixture.advance(Duration.ofMillis(599_900));
    assertThat(next).isNotDone();
    fixture.advance(Duration.ofMillis(200));
    assertThat(next).isCompleted();
  }

  /**
   * The answer that granted it was lost. The least time counts from the grant, not from the answer.
   */
  @Test
  void aKeyWhoseGrantWasHeardOfLateIsKeptAndThenFree() throws Exception {
    fixture.storeTakesBatches(
        batch -> {
          fixture.storeComesBack();
          return fixture
              .decide(batch)
              .thenCompose(
                  lost -> CompletableFuture.failedFuture(new IllegalStateException("lost")));
        });
    CompletableFuture<Acquisition> late =
        leases.acquireAsync(REQUEST.atLeastFor(Duration.ofMinutes(10)), Duration.ofMinutes(1));
    fixture.advance(Duration.ofSeconds(5));
    Lease lease = LeasesFixture.lease(late.join());
    lease.close();

    fixture.advance(Duration.ofMillis(594_999));
    assertThat(fixture.holderOf(KEY)).contains("one");
    fixture.advance(Duration.ofMillis(1));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void workIsToldToStopAndThenLosesItsLeaseAlthoughItWasRenewed() throws Exception {
    Lease lease = held(REQUEST.atMostFor(Duration.ofMinutes(5)).grace(Duration.ofSeconds(3)));
    fixture.advance(Duration.ofSeconds(296));
    assertThat(lease.isEnding()).isFalse();
    assertThat(lease.trust()).isEqualTo(Duration.ofSeconds(4));

    fixture.advance(Duration.ofSeconds(1));
    assertThat(lease.isEnding()).isTrue();
    lease.ensureHeld();

    fixture.advance(Duration.ofSeconds(3));
    assertThat(lease.lossReason()).contains(new LossReason.OutOfTime());
    assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    assertThat(fixture.holderOf(KEY)).as("its work has not ended").contains("one");

    lease.close();
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void workThatDoesNotStopIsFollowedWhenItsLastRenewalHasRunOut() throws Exception {
    held(REQUEST.atMostFor(Duration.ofMinutes(5)));
    fixture.advance(Duration.ofMinutes(5));
    int sent = fixture.sent().size();

    fixture.advance(Duration.ofSeconds(30));

    assertThat(fixture.sent()).as("nothing is renewed any more").hasSize(sent);
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void workUnderALeaseThatIsOutOfTimeIsInterrupted() throws Exception {
    WorkResult<String> tenure =
        held(REQUEST.atMostFor(Duration.ofSeconds(20)))
            .whileHeld(
                lease -> {
                  fixture.advance(Duration.ofSeconds(20));
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  return "too late";
                });

    assertThat(tenure)
        .isInstanceOfSatisfying(
            WorkResult.LostMeanwhile.class,
            lost -> assertThat(lost.reason()).isEqualTo(new LossReason.OutOfTime()));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** The lease ends before its first renewal is due. */
  @Test
  void aShortLeaseIsNotRenewedAtAll() throws Exception {
    Lease lease = held(REQUEST.atMostFor(Duration.ofSeconds(5)));
    fixture.advance(Duration.ofSeconds(5));

    assertThat(lease.lossReason()).contains(new LossReason.OutOfTime());
    assertThat(fixture.sent()).noneMatch(Command.Renew.class::isInstance);
  }

  @Test
  void whatCannotBeIsRefusedBeforeAnythingIsSent() {
    assertThatThrownBy(
            () -> REQUEST.atLeastFor(Duration.ofSeconds(2)).atMostFor(Duration.ofSeconds(1)))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("a lease is held for at least PT2S and at most PT1S");
    assertThatThrownBy(() -> REQUEST.atLeastFor(Duration.ofSeconds(-1)))
        .isInstanceOf(IllFormedException.class);
    assertThatThrownBy(() -> held(REQUEST.atLeastFor(Duration.ofHours(25))))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("24 h");
    assertThatThrownBy(() -> held(REQUEST.atMostFor(Duration.ofSeconds(3))))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("leaves no time");
    assertThat(fixture.sent()).isEmpty();
  }
}
