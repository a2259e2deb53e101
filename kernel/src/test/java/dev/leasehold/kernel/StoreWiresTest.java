package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.awaitBlocked;
import static dev.leasehold.kernel.LeasesFixture.lease;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** However a store fails to answer, callers are told, and held leases are kept. */
@Timeout(120)
class StoreWiresTest {
  private static final String KEY = "lock/report";
  private static final LeaseRequest REQUEST =
      LeaseRequest.of(KEY).ttl(Duration.ofSeconds(30)).grace(Duration.ofSeconds(3));
  private static final LeaseRequest OTHER =
      LeaseRequest.of("lock/other").ttl(Duration.ofSeconds(30)).grace(Duration.ofSeconds(3));
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LeasesFixture fixture = new LeasesFixture();
  private final Leases anna = fixture.process("anna");
  private final Leases ben = fixture.process("ben");

  /** A way of failing to answer, and what callers are told. */
  static Stream<Arguments> failures() {
    return Stream.of(
        failure(
            "an exception",
            "unplugged",
            batch -> {
              throw new IllegalStateException("unplugged");
            }),
        failure(
            "an error",
            "no such class",
            batch -> {
              throw new LinkageError("no such class");
            }),
        failure("no stage", "the store returned no answer", batch -> null),
        failure(
            "a failed stage",
            "unplugged",
            batch ->
                CompletableFuture.failedFuture(
                    new CompletionException(new IllegalStateException("unplugged")))),
        failure(
            "a failure without a message",
            "java.lang.IllegalStateException",
            batch -> CompletableFuture.failedFuture(new IllegalStateException())),
        failure("no outcomes", "an incomplete answer: null", StoreWiresTest::noOutcomes),
        failure(
            "a missing outcome",
            "an incomplete answer: [null]",
            batch ->
                CompletableFuture.completedFuture(Collections.nCopies(batch.size(), noOutcome()))),
        failure(
            "too few outcomes",
            "the store answered 0 of 1",
            batch -> CompletableFuture.completedFuture(List.of())),
        failure(
            "too many outcomes",
            "the store answered 2 of 1",
            batch ->
                CompletableFuture.completedFuture(
                    Collections.nCopies(batch.size() + 1, new Outcome.Released()))),
        failure("nothing, ever", "answer", batch -> new CompletableFuture<>()));
  }

  private static Arguments failure(String name, String told, LeasesFixture.Applying how) {
    return Arguments.of(name, told, how);
  }

  @SuppressWarnings("NullAway") // what a broken store does
  private static CompletableFuture<List<Outcome>> noOutcomes(List<Command> batch) {
    return CompletableFuture.completedFuture(null);
  }

  @SuppressWarnings("NullAway") // what a broken store does
  private static Outcome noOutcome() {
    return null;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  void whoAsksIsToldAndWhatIsHeldIsKept(String name, String told, LeasesFixture.Applying how)
      throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.storeTakesBatches(how);
    CompletableFuture<Acquisition> asked = ben.acquireAsync(OTHER, Duration.ZERO);
    CompletableFuture<Acquisition> waited = ben.acquireAsync(REQUEST, Duration.ofSeconds(19));
    fixture.advance(Duration.ofSeconds(20));
    for (CompletableFuture<Acquisition> answer : List.of(asked, waited)) {
      assertThat(answer.get(60, SECONDS))
          .isInstanceOfSatisfying(
              Acquisition.Failed.class, why -> assertThat(why.why()).contains(told));
    }

    fixture.storeComesBack();
    fixture.advance(MINUTE);
    lease.ensureHeld();
    assertThat(fixture.holderOf("lock/other")).as("given up").isEmpty();
    assertThat(ben.tryAcquire(OTHER)).isInstanceOf(Acquisition.Acquired.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  void whoGivesBackIsToldThatItIsUnknown(String name, String told, LeasesFixture.Applying how)
      throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.storeTakesBatches(how);
    FutureTask<Release> giving = new FutureTask<>(lease::release);
    awaitBlocked(Thread.ofPlatform().daemon().start(giving));
    fixture.advance(MINUTE);

    assertThat(giving.get(60, SECONDS))
        .isInstanceOfSatisfying(Release.Unknown.class, why -> assertThat(why.why()).contains(told));
  }

  private Leases withThreads(String name) {
    return fixture.builder(name).callbacks(task -> Thread.ofVirtual().start(task)).open();
  }

  @Test
  void whatWasGivenUpBeforeTheStoreAnsweredIsAbandonedThere() throws Exception {
    fixture.storeGoes();
    CompletableFuture<Acquisition> timedOut = ben.acquireAsync(REQUEST, MINUTE);
    timedOut.completeExceptionally(new TimeoutException("as orTimeout does"));
    fixture.advance(Duration.ofSeconds(6));

    Command.Acquire asked = (Command.Acquire) fixture.sent().getFirst();
    assertThat(fixture.sent())
        .contains(new Command.Abandon(asked.key(), asked.instance(), asked.requestId()));
  }

  @Test
  void aWatchThatTakesItsTimeDelaysNoCallerAndMissesNothing() throws Exception {
    CountDownLatch begins = new CountDownLatch(1);
    fixture.storeWatches(
        usual ->
            (prefix, listener) -> {
              awaitUninterrupted(begins);
              return usual.watch(prefix, listener);
            });
    Lease lease = lease(anna.tryAcquire(REQUEST));
    Leases cleo = withThreads("cleo");
    CompletableFuture<Acquisition> waiting = cleo.acquireAsync(REQUEST, MINUTE);
    assertThat(cleo.tryAcquire(OTHER)).isInstanceOf(Acquisition.Acquired.class);
    lease.close();
    begins.countDown();

    assertThat(waiting.get(60, SECONDS)).isInstanceOf(Acquisition.Acquired.class);
  }

  @Test
  void aWatchThatBeginsAfterItsWaiterHasLeftIsEnded() throws Exception {
    CountDownLatch begins = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    fixture.storeWatches(
        usual ->
            (prefix, listener) -> {
              awaitUninterrupted(begins);
              return ended::countDown;
            });
    CompletableFuture<Acquisition> waiting = withThreads("cleo").acquireAsync(REQUEST, MINUTE);
    assertThat(waiting.get(60, SECONDS)).isInstanceOf(Acquisition.Acquired.class);
    begins.countDown();

    assertThat(ended.await(60, SECONDS)).isTrue();
  }

  @Test
  void aWatchThatFailsOrIsNoneOnlyDelays() throws Exception {
    List<LeasesFixture.Watching> broken =
        List.of(
            (prefix, listener) -> null,
            (prefix, listener) -> {
              throw new IllegalStateException("planted");
            },
            (prefix, listener) -> {
              throw new LinkageError("planted");
            },
            (prefix, listener) -> StoreWiresTest::failToEnd);
    for (LeasesFixture.Watching how : broken) {
      fixture.storeWatches(usual -> how);
      Lease lease = lease(anna.tryAcquire(REQUEST));
      CompletableFuture<Acquisition> waiting = ben.acquireAsync(REQUEST, MINUTE);
      lease.close();
      fixture.advance(Duration.ofSeconds(31));

      lease(waiting.get(60, SECONDS)).close();
    }
  }

  private static void failToEnd() {
    throw new IllegalStateException("planted");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
