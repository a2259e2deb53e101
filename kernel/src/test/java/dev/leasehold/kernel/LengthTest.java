package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How long a lease is held at least and at most, whatever its work does. */
class LengthTest {
  private static final String KEY = "lock/report";
  private static final LeaseRequest REQUEST = LeaseRequest.of(KEY).ttl(Duration.ofSeconds(30));

  private final Office office = new Office();
  private final Leases leases = office.process("one");

  private Lease held(LeaseRequest request) throws InterruptedException {
    return Office.lease(leases.tryAcquire(request));
  }

  @Test
  void aKeyIsKeptFromOthersAfterItsWorkHasEndedAndIsFreeOnTime() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofSeconds(10)));
    office.advance(Duration.ofSeconds(1));

    assertThat(lease.release()).isEqualTo(new Release.Kept(Duration.ofSeconds(9)));

    assertThat(lease.trust()).isZero();
    office.advance(Duration.ofMillis(8_999));
    assertThat(office.holderOf(KEY)).contains("one");
    office.advance(Duration.ofMillis(1));
    assertThat(office.holderOf(KEY)).isEmpty();
  }

  @Test
  void workThatTookLongerGivesItsKeyBackAtOnce() throws Exception {
    Lease lease = held(REQUEST.atLeastFor(Duration.ofSeconds(10)));
    office.advance(Duration.ofSeconds(10));

    assertThat(lease.release()).isEqualTo(new Release.Released());
  }

  /** The store alone keeps it: nothing of this process is left. */
  @Test
  void aProcessThatDiesAfterItsWorkDoesNotFreeTheKeyTooSoon() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10))).close();
    office.storeTakesBatches(batch -> new CompletableFuture<>());

    office.advance(Duration.ofMillis(599_999));
    assertThat(office.holderOf(KEY)).contains("one");
    office.advance(Duration.ofMillis(1));
    assertThat(office.holderOf(KEY)).isEmpty();
  }

  @Test
  void aProcessThatDiesLaterIsFollowedAfterItsTtlAndNotAfterTheLeast() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10)));
    office.advance(Duration.ofMinutes(20));
    office.storeTakesBatches(batch -> new CompletableFuture<>());

    office.advance(Duration.ofSeconds(30));

    assertThat(office.holderOf(KEY)).isEmpty();
  }

  @Test
  void renewalsOfAKeyThatIsKeptForLongerAreForTheTtl() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10)));
    office.advance(Duration.ofMinutes(1));

    List<Long> renewedFor =
        office.sent().stream()
            .filter(Command.Renew.class::isInstance)
            .map(command -> ((Command.Renew) command).ttlMillis().orElseThrow())
            .distinct()
            .toList();
    assertThat(renewedFor).containsExactly(30_000L);
  }

  @Test
  void aClosedProcessLeavesTheKeyToTheStore() throws Exception {
    held(REQUEST.atLeastFor(Duration.ofMinutes(10))).close();
    leases.close();

    assertThat(office.holderOf(KEY)).contains("one");
    office.advance(Duration.ofMinutes(10));
    assertThat(office.holderOf(KEY)).isEmpty();
    assertThat(office.sent()).noneMatch(Command.Release.class::isInstance);
  }

  @Test
  void aLeaseThatNobodyGotIsNotKept() throws Exception {
    CompletableFuture<Acquisition> unsealed =
        office
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
    assertThat(office.holderOf("lock/other")).isEmpty();
  }

  @Test
  void workIsToldToStopAndThenLosesItsLeaseAlthoughItWasRenewed() throws Exception {
    Lease lease = held(REQUEST.atMostFor(Duration.ofMinutes(5)).grace(Duration.ofSeconds(3)));
    office.advance(Duration.ofSeconds(296));
    assertThat(lease.isEnding()).isFalse();
    assertThat(lease.trust()).isEqualTo(Duration.ofSeconds(4));

    office.advance(Duration.ofSeconds(1));
    assertThat(lease.isEnding()).isTrue();
    lease.ensureHeld();

    office.advance(Duration.ofSeconds(3));
    assertThat(lease.lossReason()).contains(new LossReason.OutOfTime());
    assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    assertThat(office.holderOf(KEY)).as("its work has not ended").contains("one");

    lease.close();
    assertThat(office.holderOf(KEY)).isEmpty();
  }

  @Test
  void workThatDoesNotStopIsFollowedWhenItsLastRenewalHasRunOut() throws Exception {
    held(REQUEST.atMostFor(Duration.ofMinutes(5)));
    office.advance(Duration.ofMinutes(5));
    int sent = office.sent().size();

    office.advance(Duration.ofSeconds(30));

    assertThat(office.sent()).as("nothing is renewed any more").hasSize(sent);
    assertThat(office.holderOf(KEY)).isEmpty();
  }

  @Test
  void workUnderALeaseThatIsOutOfTimeIsInterrupted() throws Exception {
    Tenure<String> tenure =
        held(REQUEST.atMostFor(Duration.ofSeconds(20)))
            .whileHeld(
                lease -> {
                  office.advance(Duration.ofSeconds(20));
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  return "too late";
                });

    assertThat(tenure)
        .isInstanceOfSatisfying(
            Tenure.LostMeanwhile.class,
            lost -> assertThat(lost.reason()).isEqualTo(new LossReason.OutOfTime()));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** Shorter than a renewal comes: there is nothing to renew. */
  @Test
  void aShortLeaseIsNotRenewedAtAll() throws Exception {
    Lease lease = held(REQUEST.atMostFor(Duration.ofSeconds(5)));
    office.advance(Duration.ofSeconds(5));

    assertThat(lease.lossReason()).contains(new LossReason.OutOfTime());
    assertThat(office.sent()).noneMatch(Command.Renew.class::isInstance);
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
    assertThat(office.sent()).isEmpty();
  }
}
