package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.lease;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What blocks need from leases: to see the present holder of a key, and to give up without
 * blocking.
 */
@Timeout(120)
class ObservingTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration GRACE = Duration.ofSeconds(3);
  private static final LeaseRequest REQUEST =
      LeaseRequest.of("leader/billing").ttl(Duration.ofSeconds(30)).grace(GRACE);

  private final LeasesFixture fixture = new LeasesFixture();
  private final Leases anna = fixture.process("anna");
  private final Leases ben = fixture.process("ben");
  private final Leases carl = fixture.process("carl");
  private final List<String> heard = new ArrayList<>();

  @Test
  void whoWaitsHearsWhoHasTheKeyAndWhoFollows() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    CompletableFuture<Acquisition> waiting =
        carl.acquireAsync(REQUEST, HOUR, told -> heard.add(holderIn(told)));
    assertThat(heard).isNotEmpty().containsOnly("anna");
    lease.handOver("ben", ben.instanceId());
    fixture.advance(Duration.ofMillis(50));
    assertThat(heard).endsWith("ben");
    assertThat(waiting).isNotDone();
  }

  @Test
  void whoOnlyWantsTheKeyDoesNotAskWhenItIsHandedOver() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    var unusedWaiting = carl.acquireAsync(REQUEST, HOUR);
    long before = asks();
    lease.handOver("ben", ben.instanceId());
    fixture.advance(Duration.ofSeconds(1));
    assertThat(asks()).isEqualTo(before);
  }

  private static String holderIn(Acquisition told) {
    return told instanceof Acquisition.Held held ? held.holder() : told.toString();
  }

  @Test
  void whoWaitsHearsThatTheStoreIsAwayAndWhenItIsBack() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.storeTakesBatches(
        batch -> CompletableFuture.failedFuture(new IllegalStateException("the line is dead")));
    CompletableFuture<Acquisition> waiting =
        carl.acquireAsync(REQUEST, HOUR, told -> heard.add(holderIn(told)));
    assertThat(heard).isNotEmpty().allMatch(line -> line.contains("the line is dead"));
    fixture.storeTakesBatches(fixture::decide);
    fixture.advance(Duration.ofSeconds(10));
    assertThat(heard).endsWith("anna");
    assertThat(waiting).isNotDone();
    lease.ensureHeld();
  }

  @Test
  void aKeyIsReservedForOneUntilThatOneLetsItGo() {
    Leases.Reservation first = anna.reserve(REQUEST.key()).orElseThrow();
    assertThat(anna.reserve(REQUEST.key())).isEmpty();
    assertThat(ben.reserve(REQUEST.key())).isPresent();
    first.close();
    assertThat(anna.reserve(REQUEST.key())).isPresent();
  }

  private long asks() {
    return fixture.sent().stream().filter(Command.Acquire.class::isInstance).count();
  }

  @Test
  void anHeirHearsOfItsOwnGrantAndTakesIt() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    List<Acquisition> told = new ArrayList<>();
    CompletableFuture<Acquisition> waiting = ben.acquireAsync(REQUEST, HOUR, told::add);
    lease.handOver("ben", ben.instanceId());
    fixture.advance(Duration.ofMillis(50));
    Acquisition.Held mine = (Acquisition.Held) told.getLast();
    assertThat(mine.instanceId()).isEqualTo(ben.instanceId());
    waiting.cancel(true);
    Lease inherited = lease(ben.inheritAsync(REQUEST, mine.token()).get(60, SECONDS));
    assertThat(inherited.token()).isEqualTo(mine.token());
  }

  /** The same process already holds the key, or lost it without the store's knowledge. */
  @Test
  void whatAProcessWasGrantedIsNotToldToItAsIfItWereHandedOver() throws Exception {
    Lease held = lease(ben.tryAcquire(REQUEST));
    var unusedWaiting = ben.acquireAsync(REQUEST, HOUR, told -> heard.add(holderIn(told)));
    fixture.advance(Duration.ofMinutes(2));
    assertThat(heard).isEmpty();
    held.ensureHeld();
  }

  /** If the process took it for an inheritance, it would trust a grant that is about to end. */
  @Test
  void whatIsBeingGivenBackIsNotToldToItsOwnProcess() throws Exception {
    Lease lease = lease(ben.tryAcquire(REQUEST));
    fixture.storeTakesBatches(
        batch ->
            batch.stream().anyMatch(Command.Release.class::isInstance)
                ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                : fixture.decide(batch));
    var unusedReleasing = lease.releaseAsync();
    var unusedAgain = ben.acquireAsync(REQUEST, HOUR, told -> heard.add(holderIn(told)));
    var unusedOther =
        carl.acquireAsync(REQUEST, HOUR, told -> heard.add("carl hears of " + holderIn(told)));
    fixture.advance(Duration.ofSeconds(2));
    assertThat(heard).isNotEmpty().containsOnly("carl hears of ben");
  }

  /** The thread that brought the grant may be the one that must bring the next answer. */
  @Test
  void aSealThatFailsHoldsNoThreadUntilTheStoreHasItsLeaseBack() throws Exception {
    CompletableFuture<Void> letThrough = new CompletableFuture<>();
    fixture.storeTakesBatches(
        batch ->
            batch.stream().anyMatch(Command.Release.class::isInstance)
                ? letThrough.thenCompose(nothing -> fixture.decide(batch))
                : fixture.decide(batch));
    CompletableFuture<Acquisition> attempt =
        anna.acquireAsync(
            REQUEST.sealing(
                Seal.of(
                    "orders",
                    claim -> {
                      throw new IllegalStateException("orders is away");
                    })),
            HOUR);
    assertThat(attempt).isNotDone();
    letThrough.complete(null);
    assertThat(attempt.get(60, SECONDS)).isInstanceOf(Acquisition.Unsealed.class);
    assertThat(fixture.holderOf("leader/billing")).isEmpty();
  }

  @Test
  void windingDownTellsTheWorkAndInterruptsItAfterTheGrace() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    CompletableFuture<String> work = new CompletableFuture<>();
    Lease.Binding binding = lease.bind(work);
    lease.windDown();
    assertThat(lease.isEnding()).isTrue();
    fixture.advance(GRACE.minusMillis(1));
    lease.ensureHeld();
    assertThat(work).isNotDone();
    fixture.advance(Duration.ofMillis(1));
    assertThat(work).isCancelled();
    assertThat(lease.lossReason()).contains(new LossReason.Released());
    assertThat(fixture.holderOf("leader/billing")).as("its work may run").contains("anna");
    binding.close();
    assertThat(lease.releaseAsync().toCompletableFuture().get(60, SECONDS))
        .isEqualTo(new Release.Released());
    assertThat(fixture.holderOf("leader/billing")).isEmpty();
  }

  @Test
  void aRequestCanBeCheckedBeforeItIsMade() {
    anna.check(REQUEST);
    assertThatThrownBy(() -> anna.check(REQUEST.ttl(Duration.ofMillis(1))))
        .isInstanceOf(IllFormedException.class);
    assertThat(fixture.sent()).isEmpty();
    assertThat(anna.holder()).isEqualTo("anna");
  }
}
