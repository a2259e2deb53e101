package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseEvent.NotAcquired.Cause;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseObserverTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final LeaseRequest REQUEST =
      LeaseRequest.of(KEY.text()).ttl(Duration.ofSeconds(30)).grace(Duration.ofSeconds(3));
  private static final Duration HOUR = Duration.ofHours(1);

  private final LeasesFixture fixture = new LeasesFixture();
  private final List<LeaseEvent> events = new ArrayList<>();
  private final Leases anna = fixture.builder("anna").observer(events::add).open();
  private final Leases ben = fixture.process("ben");

  @Test
  void a_lease_that_is_given_back_was_acquired_and_released() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.advance(HOUR);
    lease.close();
    assertThat(events)
        .containsExactly(
            new LeaseEvent.Acquired(KEY, lease.token()),
            new LeaseEvent.Released(KEY, lease.token()));
  }

  @Test
  void a_lease_that_is_handed_over_is_released() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    lease.handOver("ben", ben.instanceId());
    assertThat(events).endsWith(new LeaseEvent.Released(KEY, lease.token()));
  }

  @Test
  void a_loss_is_told_with_its_reason() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.revoke(KEY.text());
    fixture.advance(Duration.ofMinutes(1));
    LossReason reason = lease.lossReason().orElseThrow();
    assertThat(reason).isInstanceOf(LossReason.Revoked.class);
    assertThat(events)
        .containsExactly(
            new LeaseEvent.Acquired(KEY, lease.token()),
            new LeaseEvent.Lost(KEY, lease.token(), reason));
  }

  /**
   * The store fails a number of renewals, not for a time: how many a process attempts in a time
   * depends on its jitter.
   */
  @Test
  void a_renewal_after_failed_ones_is_told_as_late() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    AtomicInteger failures = new AtomicInteger();
    fixture.storeTakesBatches(
        batch ->
            failures.getAndIncrement() < 2
                ? CompletableFuture.completedFuture(
                    Collections.nCopies(
                        batch.size(), new Outcome.Failed(Certainty.NOT_APPLIED, "away")))
                : fixture.decide(batch));
    fixture.advance(HOUR);
    assertThat(events)
        .containsExactly(
            new LeaseEvent.Acquired(KEY, lease.token()),
            new LeaseEvent.RenewedLate(KEY, lease.token(), 2));
  }

  @Test
  void a_waiter_is_told_of_and_so_is_an_attempt_without_a_lease() throws Exception {
    Lease bens = lease(ben.tryAcquire(REQUEST));
    CompletableFuture<Acquisition> waiting = anna.acquireAsync(REQUEST, Duration.ofSeconds(2));
    assertThat(events)
        .isNotEmpty()
        .containsOnly(new LeaseEvent.Waiting(KEY, LeaseEvent.Waiting.Cause.HELD, "held by ben"));
    fixture.advance(Duration.ofSeconds(3));
    assertThat(waiting.get()).isInstanceOf(Acquisition.Held.class);
    assertThat(events.getLast())
        .isEqualTo(
            new LeaseEvent.NotAcquired(KEY, LeaseEvent.NotAcquired.Cause.HELD, "held by ben"));
    bens.close();
  }

  /** Fails renewals and releases, as those of a process that is cut off. */
  private void cutOff() {
    fixture.storeTakesBatches(
        batch ->
            batch.stream().allMatch(Command.Acquire.class::isInstance)
                ? fixture.decide(batch)
                : answerAll(batch, new Outcome.Failed(Certainty.NOT_APPLIED, "cut off")));
  }

  private static CompletableFuture<List<Outcome>> answerAll(List<Command> batch, Outcome outcome) {
    return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), outcome));
  }

  private Lease lostOfAnna() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    cutOff();
    fixture.advance(Duration.ofMinutes(1));
    fixture.storeComesBack();
    assertThat(lease.lossReason()).containsInstanceOf(LossReason.Unreachable.class);
    return lease;
  }

  @Test
  void a_lost_grant_is_superseded_once_an_answer_names_another_holder() throws Exception {
    Lease lease = lostOfAnna();
    lease(ben.tryAcquire(REQUEST));
    assertThat(events).hasSize(2);
    assertThat(anna.tryAcquire(REQUEST)).isInstanceOf(Acquisition.Held.class);
    assertThat(anna.tryAcquire(REQUEST)).isInstanceOf(Acquisition.Held.class);
    LeaseEvent held = new LeaseEvent.NotAcquired(KEY, Cause.HELD, "held by ben");
    assertThat(events)
        .containsExactly(
            new LeaseEvent.Acquired(KEY, lease.token()),
            new LeaseEvent.Lost(KEY, lease.token(), new LossReason.Unreachable()),
            new LeaseEvent.Superseded(KEY, lease.token()),
            held,
            held);
  }

  @Test
  void the_answer_to_a_late_release_names_another_holder_too() throws Exception {
    Lease lease = lostOfAnna();
    lease(ben.tryAcquire(REQUEST));
    lease.close();
    assertThat(events).hasSize(3).endsWith(new LeaseEvent.Superseded(KEY, lease.token()));
  }

  @Test
  void a_grant_that_was_given_up_too_late_is_released_and_superseded() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    LossReason taken = new LossReason.Superseded("ben", new Token(lease.token().value() + 1));
    fixture.storeTakesBatches(batch -> answerAll(batch, new Outcome.Lost(taken)));
    lease.close();
    assertThat(events)
        .endsWith(
            new LeaseEvent.Released(KEY, lease.token()),
            new LeaseEvent.Superseded(KEY, lease.token()));
  }

  @Test
  void a_loss_to_another_holder_is_told_with_the_loss() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    LossReason taken = new LossReason.Superseded("ben", new Token(lease.token().value() + 1));
    fixture.storeTakesBatches(batch -> answerAll(batch, new Outcome.Lost(taken)));
    fixture.advance(Duration.ofMinutes(1));
    assertThat(events)
        .endsWith(
            new LeaseEvent.Lost(KEY, lease.token(), taken),
            new LeaseEvent.Superseded(KEY, lease.token()));
  }

  @Test
  void a_process_that_wins_its_key_back_was_not_superseded() throws Exception {
    Lease lost = lostOfAnna();
    lease(anna.tryAcquire(REQUEST)).close();
    lease(ben.tryAcquire(REQUEST));
    anna.tryAcquire(REQUEST);
    lost.close();
    assertThat(events).noneMatch(LeaseEvent.Superseded.class::isInstance);
  }

  @Test
  void the_holder_after_a_revocation_takes_nothing_over() throws Exception {
    lease(anna.tryAcquire(REQUEST));
    fixture.revoke(KEY.text());
    fixture.advance(Duration.ofMinutes(1));
    lease(ben.tryAcquire(REQUEST));
    anna.tryAcquire(REQUEST);
    assertThat(events).noneMatch(LeaseEvent.Superseded.class::isInstance);
  }

  @Test
  void a_refusal_that_a_target_reports_is_told() throws Exception {
    Lease lease = lease(anna.tryAcquire(REQUEST));
    lease.refused("table", new Admission.Stale(Token.of(1, 9)));
    assertThat(events).endsWith(new LeaseEvent.Refused(KEY, Optional.of(lease.token()), "table"));
  }

  @Test
  void an_observer_that_throws_changes_nothing() throws Exception {
    List<LeaseEvent> heard = new ArrayList<>();
    Leases leases =
        fixture
            .builder("carl")
            .observer(
                event -> {
                  throw new IllegalStateException("observer");
                })
            .observer(heard::add)
            .open();
    Lease lease = lease(leases.tryAcquire(REQUEST));
    fixture.advance(HOUR);
    lease.ensureHeld();
    lease.close();
    assertThat(heard).hasSize(2);
    assertThat(fixture.holderOf(KEY.text())).isEmpty();
  }

  /** The observer blocks a thread of its own until the lease has been kept for an hour. */
  @Test
  void an_observer_that_blocks_delays_no_renewal() throws Exception {
    CountDownLatch hourOver = new CountDownLatch(1);
    BlockingQueue<LeaseEvent> heard = new LinkedBlockingQueue<>();
    Leases leases =
        fixture
            .builder("carl")
            .callbacks(Thread::startVirtualThread)
            .observer(
                event -> {
                  await(hourOver);
                  heard.add(event);
                })
            .open();
    Lease lease = lease(leases.tryAcquire(REQUEST));
    fixture.advance(HOUR);
    lease.ensureHeld();
    assertThat(fixture.holderOf(KEY.text())).contains("carl");
    lease.close();
    assertThat(heard).isEmpty();
    hourOver.countDown();
    assertThat(heard.take()).isEqualTo(new LeaseEvent.Acquired(KEY, lease.token()));
    assertThat(heard.take()).isEqualTo(new LeaseEvent.Released(KEY, lease.token()));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("the test has given up", e);
    }
  }

  @Test
  void a_dispatch_is_not_dispatched_again() {
    LeaseObserver dispatch = ObserverDispatch.to(List.of(), List.of(events::add), Runnable::run);
    assertThat(ObserverDispatch.to(dispatch, Runnable::run)).isSameAs(dispatch);
  }

  @Test
  void events_are_told_in_order_and_not_by_the_thread_that_reports_them() {
    Queue<Runnable> threads = new ArrayDeque<>();
    LeaseObserver dispatch = ObserverDispatch.to(List.of(), List.of(events::add), threads::add);
    dispatch.observed(released(1));
    dispatch.observed(released(2));
    assertThat(events).isEmpty();
    assertThat(threads).hasSize(1);
    threads.remove().run();
    assertThat(events).containsExactly(released(1), released(2));
    dispatch.observed(released(3));
    threads.remove().run();
    assertThat(events).endsWith(released(3));
  }

  @Test
  void what_a_hanging_observer_misses_does_not_pile_up() {
    Queue<Runnable> threads = new ArrayDeque<>();
    ObserverDispatch dispatch = ObserverDispatch.to(List.of(), List.of(events::add), threads::add);
    for (int i = 1; i <= 2 * ObserverDispatch.MOST_PENDING; i++) {
      dispatch.observed(released(i));
    }
    threads.remove().run();
    assertThat(events).hasSize(ObserverDispatch.MOST_PENDING);
    assertThat(dispatch.dropped()).isEqualTo(ObserverDispatch.MOST_PENDING);
    dispatch.observed(released(7));
    threads.remove().run();
    assertThat(events).endsWith(released(7));
    assertThat(dispatch.dropped()).isEqualTo(ObserverDispatch.MOST_PENDING);
  }

  @Test
  void observers_in_place_are_told_by_the_thread_that_reports() {
    Queue<Runnable> threads = new ArrayDeque<>();
    List<LeaseEvent> inPlace = new ArrayList<>();
    List<LeaseEvent> first = new ArrayList<>();
    ObserverDispatch dispatch =
        ObserverDispatch.to(List.of(inPlace::add), List.of(events::add), threads::add);
    dispatch.with(first::add).observed(released(1));
    dispatch.observed(released(2));
    assertThat(first).containsExactly(released(1));
    assertThat(inPlace).containsExactly(released(1), released(2));
    assertThat(events).isEmpty();
    threads.remove().run();
    assertThat(events).isEqualTo(inPlace);
  }

  @Test
  void what_observers_throw_is_counted_and_reaches_no_caller() {
    LeaseObserver thrower =
        event -> {
          throw new AssertionError("observer");
        };
    ObserverDispatch dispatch =
        ObserverDispatch.to(List.of(thrower), List.of(thrower, events::add), Runnable::run);
    dispatch.with(thrower).observed(released(1));
    assertThat(events).containsExactly(released(1));
    assertThat(dispatch.failures()).isEqualTo(3);
  }

  /** An observer in place does not block; one that does shows that no lock is held meanwhile. */
  @Test
  void no_lock_is_held_while_an_observer_is_told() throws Exception {
    CountDownLatch blocked = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    LeaseObserver blocking =
        event -> {
          if (event.equals(released(1))) {
            blocked.countDown();
            await(end);
          }
        };
    ObserverDispatch dispatch =
        ObserverDispatch.to(List.of(blocking), List.of(blocking), Runnable::run);
    Thread inPlace = Thread.startVirtualThread(() -> dispatch.observed(released(1)));
    ObserverDispatch queued = ObserverDispatch.to(blocking, Runnable::run);
    Thread inQueue = Thread.startVirtualThread(() -> queued.observed(released(1)));
    blocked.await();
    dispatch.observed(released(2));
    queued.observed(released(2));
    end.countDown();
    inPlace.join();
    inQueue.join();
  }

  private static LeaseEvent released(int number) {
    return new LeaseEvent.Released(KEY, Token.of(1, number));
  }
}
