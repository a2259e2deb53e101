package dev.leasehold.blocks.leader;

import static dev.leasehold.blocks.leader.ElectionFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What observers of a process are told of its elections. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElectionEventTest {
  private final ElectionFixture fixture = new ElectionFixture();
  private final ElectionFixture.House anna = fixture.house("anna");
  private final List<LeaseEvent> events = new CopyOnWriteArrayList<>();
  private final Leases leases = fixture.builder("anna", anna).observer(events::add).open();

  private ElectionBuilder election() {
    return Election.on(leases).named("billing");
  }

  @Test
  void a_term_that_its_leader_ends_is_elected_and_over() {
    Election election = election().start();
    Term term = election.status().term().orElseThrow();
    election.stepDown();
    assertThat(events)
        .containsExactly(
            new LeaseEvent.Acquired(term.key(), term.token()),
            new ElectionEvent.Elected(term),
            new ElectionEvent.TermOver(term, new LossReason.Released()),
            new LeaseEvent.Released(term.key(), term.token()));
  }

  /** Its lease is released, since its work ended in time; the term says why. */
  @Test
  void a_term_whose_leader_cannot_renew_is_over_for_that_reason() {
    Election election = election().start();
    Term term = election.status().term().orElseThrow();
    anna.cutOff();
    fixture.advance(Duration.ofSeconds(31));
    assertThat(events)
        .containsExactly(
            new LeaseEvent.Acquired(term.key(), term.token()),
            new ElectionEvent.Elected(term),
            new ElectionEvent.TermOver(term, new LossReason.Unreachable()),
            new LeaseEvent.Released(term.key(), term.token()));
  }

  @Test
  void a_loop_that_fails_is_told_with_its_failure() {
    RuntimeException failure = new IllegalStateException("no work today");
    Election election =
        election()
            .loop(
                LeaderLoop.stream(
                    "invoices",
                    leading -> {
                      throw failure;
                    }))
            .start();
    Term term = election.status().term().orElseThrow();
    await(() -> events.contains(new ElectionEvent.LoopFailed(term, "invoices", failure)));
  }

  /** A listener would: the election waits for what listeners prepare. */
  @Test
  void an_observer_that_blocks_delays_no_loop() throws Exception {
    CountDownLatch loopBegan = new CountDownLatch(1);
    CountDownLatch observerReturned = new CountDownLatch(1);
    Leases observed =
        fixture
            .builder("ben", fixture.house("ben"))
            .callbacks(Thread::startVirtualThread)
            .observer(
                event -> {
                  hold(loopBegan);
                  observerReturned.countDown();
                })
            .open();
    Election.on(observed)
        .named("billing")
        .loop(LeaderLoop.stream("invoices", leading -> loopBegan.countDown()))
        .start();
    observerReturned.await();
    assertThat(loopBegan.getCount()).isZero();
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("the test has given up", e);
    }
  }
}
