package dev.leasehold.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
  private final ManualTicker ticker = new ManualTicker();
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final List<String> ran = new ArrayList<>();

  private Cancellable schedule(String name, int millis) {
    return scheduler.schedule(
        () -> ran.add(name + "@" + Duration.ofNanos(ticker.nanos()).toMillis()),
        Duration.ofMillis(millis));
  }

  @Test
  void a_ticker_stands_still_until_it_is_turned() {
    assertThat(ticker.nanos()).isZero();
    ticker.advance(Duration.ofMillis(2));
    assertThat(ticker.nanos()).isEqualTo(2_000_000);
  }

  @Test
  void a_ticker_never_goes_back() {
    assertThatIllegalArgumentException().isThrownBy(() -> ticker.advance(Duration.ofNanos(-1)));
  }

  @Test
  void a_clock_goes_both_ways() {
    ManualClock clock = new ManualClock(5_000);
    clock.advance(Duration.ofSeconds(2));
    assertThat(clock.millis()).isEqualTo(7_000);
    clock.advance(Duration.ofSeconds(-3));
    assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(4_000));
    clock.set(1);
    assertThat(clock.millis()).isEqualTo(1);
  }

  @Test
  void tasks_run_in_the_order_they_are_due_each_at_its_own_moment() {
    schedule("late", 30);
    schedule("early", 10);
    schedule("never", 31);
    scheduler.advance(Duration.ofMillis(30));
    assertThat(ran).containsExactly("early@10", "late@30");
    assertThat(scheduler.pending()).isEqualTo(1);
  }

  @Test
  void tasks_due_at_one_moment_run_in_the_order_they_were_scheduled() {
    schedule("first", 10);
    schedule("second", 10);
    schedule("third", 10);
    scheduler.advance(Duration.ofMillis(10));
    assertThat(ran).containsExactly("first@10", "second@10", "third@10");
  }

  @Test
  void a_task_scheduled_by_a_task_runs_in_the_same_advance_if_it_is_due() {
    scheduler.schedule(() -> schedule("child", 5), Duration.ofMillis(10));
    scheduler.advance(Duration.ofMillis(20));
    assertThat(ran).containsExactly("child@15");
    assertThat(Duration.ofNanos(ticker.nanos())).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void a_cancelled_task_never_runs_and_cancelling_it_again_changes_nothing() {
    Cancellable task = schedule("cancelled", 10);
    schedule("kept", 10);
    task.cancel();
    task.cancel();
    scheduler.advance(Duration.ofMillis(10));
    assertThat(ran).containsExactly("kept@10");
  }

  @Test
  void a_task_can_cancel_one_that_is_due_at_the_same_moment() {
    List<Cancellable> victim = new ArrayList<>();
    scheduler.schedule(() -> victim.getFirst().cancel(), Duration.ofMillis(10));
    victim.add(schedule("victim", 10));
    scheduler.advance(Duration.ofMillis(10));
    assertThat(ran).isEmpty();
  }

  @Test
  void what_fell_due_while_the_ticker_was_turned_alone_runs_late() {
    schedule("overdue", 10);
    ticker.advance(Duration.ofMillis(25));
    scheduler.advance(Duration.ZERO);
    assertThat(ran).containsExactly("overdue@25");
  }

  @Test
  void a_task_without_delay_runs_at_the_next_advance() {
    schedule("soon", 0);
    assertThat(ran).isEmpty();
    scheduler.advance(Duration.ZERO);
    assertThat(ran).containsExactly("soon@0");
  }

  @Test
  void a_failing_task_is_heard_of_and_the_others_stay() {
    scheduler.schedule(
        () -> {
          throw new IllegalStateException("failed");
        },
        Duration.ZERO);
    schedule("next", 1);
    assertThatIllegalStateException().isThrownBy(() -> scheduler.advance(Duration.ofMillis(1)));
    scheduler.advance(Duration.ofMillis(1));
    assertThat(ran).containsExactly("next@1");
  }

  @Test
  void a_scheduler_works_across_the_overflow_of_its_ticker() {
    ManualTicker nearTheEnd = new ManualTicker(Long.MAX_VALUE - 1_000);
    ManualScheduler late = new ManualScheduler(nearTheEnd);
    late.schedule(() -> ran.add("after"), Duration.ofMillis(2));
    late.schedule(() -> ran.add("before"), Duration.ofNanos(500));
    late.advance(Duration.ofMillis(2));
    assertThat(ran).containsExactly("before", "after");
  }
}
