package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.awaitBlocked;
import static dev.leasehold.kernel.LeasesFixture.lease;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * With a gap the old holder has stopped before the new one can start; with an overlap it may not
 * have.
 */
@Timeout(120)
class HandOverTest {
  private static final String KEY = "shard/7";
  private static final LeaseRequest REQUEST =
      LeaseRequest.of(KEY).ttl(Duration.ofSeconds(30)).grace(Duration.ofSeconds(3));
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final LeasesFixture fixture = new LeasesFixture();
  private final Leases anna = fixture.process("anna");
  private final Leases ben = fixture.process("ben");
  private final List<LeaseChange.Kind> changes = fixture.changes();
  private final CompletableFuture<String> work = new CompletableFuture<>();

  @AfterEach
  void theThreadIsNotLeftInterrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  /**
   * A hand-over to ben on its own thread, which waits for the work or has ended when this returns.
   */
  private FutureTask<Release> givingToBen(Lease lease) {
    FutureTask<Release> giving = new FutureTask<>(() -> lease.handOver("ben", ben.instanceId()));
    awaitBlocked(Thread.ofPlatform().daemon().start(giving));
    return giving;
  }

  private void assertWorkIsCancelled() {
    assertThatThrownBy(() -> work.get(60, SECONDS)).isInstanceOf(CancellationException.class);
  }

  @Test
  void aLeaseIsHandedOverAndInherited() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    assertThatThrownBy(() -> lease.handOver("anna", anna.instanceId()))
        .isInstanceOf(IllFormedException.class);
    lease.ensureHeld();

    Release.HandedOver passed = (Release.HandedOver) lease.handOver("ben", ben.instanceId());
    assertThat(fixture.holderOf(KEY)).contains("ben");
    Lease inherited = lease(ben.inherit(REQUEST, passed.token()));
    assertThat(inherited.token()).isEqualTo(passed.token());
    assertThat(anna.inherit(REQUEST, passed.token()))
        .isEqualTo(new Acquisition.Gone(new LossReason.NotHolder()));
    assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
  }

  /** Otherwise the lease would be renewed for ever without a holder. */
  @Test
  void whatAnInterruptedHeirIsGrantedLaterIsGivenBack() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Release.HandedOver passed = (Release.HandedOver) lease.handOver("ben", ben.instanceId());
    CompletableFuture<List<Command>> asked = new CompletableFuture<>();
    CompletableFuture<List<Outcome>> late = new CompletableFuture<>();
    fixture.storeTakesBatches(
        batch -> {
          asked.complete(batch);
          return late;
        });
    FutureTask<Acquisition> inheriting =
        new FutureTask<>(() -> ben.inherit(REQUEST, passed.token()));
    Thread heir = Thread.ofPlatform().daemon().start(inheriting);
    List<Command> batch = asked.get(60, SECONDS);
    heir.interrupt();
    assertThatThrownBy(() -> inheriting.get(60, SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);

    fixture.storeComesBack();
    late.complete(fixture.store.apply(batch).toCompletableFuture().get(60, SECONDS));
    assertThat(fixture.holderOf(KEY)).isEmpty();
    assertThat(changes).endsWith(LeaseChange.Kind.RELEASED);
  }

  @Test
  void withoutWorkEvenAGraceOfNothingIsEnough() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST.grace(Duration.ZERO)));

    assertThat(lease.handOver("ben", ben.instanceId())).isInstanceOf(Release.HandedOver.class);
  }

  @Test
  void withAGapTheWorkIsToldInterruptedAndWaitedForFirst() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Lease.Binding binding = lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    lease.ending().toCompletableFuture().get(60, SECONDS);
    fixture.advance(GRACE.minusMillis(1));
    lease.ensureHeld();
    assertThat(work).isNotDone();

    fixture.advance(Duration.ofMillis(1));
    assertWorkIsCancelled();
    assertThat(changes).as("it may still run").containsExactly(LeaseChange.Kind.GRANTED);
    binding.close();
    assertThat(giving.get(60, SECONDS)).isInstanceOf(Release.HandedOver.class);
    assertThat(fixture.holderOf(KEY)).contains("ben");
    assertThat(changes).doesNotContain(LeaseChange.Kind.RELEASED);
  }

  @Test
  void withAGapTheLeaseIsKeptWhileTheWorkWindsDown() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST.grace(Duration.ofSeconds(15))));
    Lease.Binding binding = lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    fixture.advance(Duration.ofSeconds(14));

    assertThat(lease.trust()).as("renewed meanwhile").isGreaterThan(Duration.ofSeconds(20));
    binding.close();
    assertThat(giving.get(60, SECONDS)).isInstanceOf(Release.HandedOver.class);
    assertThat(work).as("it ended by itself").isNotDone();
  }

  @Test
  void withAGapNothingIsHandedOverWhileWorkRuns() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Lease.Binding binding = lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    fixture.advance(GRACE.multipliedBy(2));
    assertThat(giving.get(60, SECONDS)).isEqualTo(new Release.StillRunning());
    assertThat(lease.trust()).isZero();

    binding.close();
    assertThat(fixture.holderOf(KEY)).as("too late").contains("anna");
    lease.close();
    assertThat(fixture.holderOf(KEY)).isEmpty();
    assertThat(changes).containsExactly(LeaseChange.Kind.GRANTED, LeaseChange.Kind.RELEASED);
  }

  @Test
  void withAGapWorkThatNeverEndsKeepsTheKeyUntilItRunsOut() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    fixture.advance(GRACE.multipliedBy(2));
    assertThat(giving.get(60, SECONDS)).isEqualTo(new Release.StillRunning());
    assertThat(fixture.holderOf(KEY)).contains("anna");

    fixture.advance(Duration.ofSeconds(30));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void aSlowAnswerIsNotTakenForWorkThatRuns() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Lease.Binding binding = lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    fixture.storeGoes();
    binding.close();
    fixture.advance(GRACE.multipliedBy(2));
    assertThat(giving).isNotDone();

    fixture.storeComesBack();
    fixture.advance(Duration.ofSeconds(15));
    assertThat(giving.get(60, SECONDS)).isInstanceOf(Release.HandedOver.class);
  }

  @Test
  void aLeaseThatIsLostWhileItsWorkWindsDownIsNotHandedOver() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST.grace(Duration.ofSeconds(15))));
    Lease.Binding binding = lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    fixture.revoke(KEY);
    fixture.advance(Duration.ofSeconds(12));
    assertWorkIsCancelled();
    binding.close();

    assertThat(giving.get(60, SECONDS))
        .isEqualTo(new Release.AlreadyOver(new LossReason.Revoked("op", "stuck")));
  }

  @Test
  void aLeaseThatIsClosedWhileItsWorkIsWaitedForIsGivenBackAndNotHandedOver() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    lease.bind(work);
    FutureTask<Release> giving = givingToBen(lease);
    lease.close();

    assertThat(giving.get(60, SECONDS))
        .isEqualTo(new Release.AlreadyOver(new LossReason.Released()));
    assertThat(fixture.holderOf(KEY)).isEmpty();
  }

  @Test
  void workThatEndsForAHandOverWithAGapIsDone() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<Lease> held = new CompletableFuture<>();
    FutureTask<WorkResult<String>> tenure =
        new FutureTask<>(
            () ->
                anna.whileHeld(
                    REQUEST,
                    MINUTE,
                    lease -> {
                      held.complete(lease);
                      running.await();
                      return "result";
                    }));
    Thread.ofPlatform().daemon().start(tenure);
    FutureTask<Release> giving = givingToBen(held.get(60, SECONDS));
    running.countDown();

    assertThat(tenure.get(60, SECONDS)).isEqualTo(new WorkResult.Done<>("result"));
    assertThat(giving.get(60, SECONDS)).isInstanceOf(Release.HandedOver.class);
    assertThat(changes).doesNotContain(LeaseChange.Kind.RELEASED);
  }

  @Test
  void workCannotWaitForItsOwnEnd() throws Exception {
    WorkResult<Release> tenure =
        anna.whileHeld(
            REQUEST,
            MINUTE,
            lease -> {
              assertThatThrownBy(() -> lease.handOver("ben", ben.instanceId()))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("close the binding first");
              lease.ensureHeld();
              return lease.handOver("ben", ben.instanceId(), Handoff.OVERLAP);
            });

    assertThat(tenure)
        .isInstanceOfSatisfying(
            WorkResult.Done.class,
            done -> assertThat(done.result()).isInstanceOf(Release.HandedOver.class));
    assertThat(fixture.holderOf(KEY)).contains("ben");
  }

  @Test
  void withAnOverlapItIsHandedOverAtOnceAndTheWorkMayWindDown() throws Exception {
    Leases overlapping =
        fixture
            .builder("anna")
            .charter(
                LeaseCharter.of("shard", Payload.SHARD, "the rows of one shard")
                    .handoff(Handoff.OVERLAP))
            .open();
    Lease lease = lease(overlapping.tryAcquire(REQUEST));
    Lease.Binding binding = lease.bind(work);

    assertThat(lease.handOver("ben", ben.instanceId())).isInstanceOf(Release.HandedOver.class);
    assertThat(lease.trust()).isZero();
    lease.ending().toCompletableFuture().get(60, SECONDS);
    fixture.advance(GRACE.minusMillis(1));
    assertThat(work).isNotDone();
    fixture.advance(Duration.ofMillis(1));
    assertWorkIsCancelled();
    binding.close();
  }

  @Test
  void theCallsOwnChoiceGoesBeforeTheCharters() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Lease.Binding binding = lease.bind(work);

    assertThat(lease.handOver("ben", ben.instanceId(), Handoff.OVERLAP))
        .isInstanceOf(Release.HandedOver.class);
    binding.close();
    fixture.advance(MINUTE);
    assertThat(work).as("it ended in time").isNotDone();
  }

  @Test
  void workThatIsBoundToALeaseThatWasGivenUpIsCancelledRightAway() throws Exception {
    Lease handedOver = lease(anna.tryAcquire(REQUEST));
    handedOver.handOver("ben", ben.instanceId());
    handedOver.bind(work).close();
    assertThat(work).isCancelled();

    Lease closed = lease(anna.tryAcquire(LeaseRequest.of("shard/8")));
    closed.close();
    CompletableFuture<String> late = new CompletableFuture<>();
    closed.bind(late).close();
    assertThat(late).isCancelled();
  }
}
