package dev.leasehold.store.jdbc.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.status.ClockSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which differences between two clocks are steps. */
class StoreClockTest {
  private static final long EPOCH_MILLIS = 1_800_000_000_000L;
  private static final Duration TRIP = Duration.ofMillis(4);

  private final List<String> logged = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
  private long storeNanos;
  private final StoreClock clock = new StoreClock(() -> nanos, logged::add);

  private void pass(Duration time) {
    nanos += time.toNanos();
    storeNanos += time.toNanos();
  }

  private void step(Duration by) {
    storeNanos += by.toNanos();
  }

  /** An answer that takes this long there, and as long back. */
  private void ask(Duration trip) {
    long sent = nanos;
    pass(trip);
    long shown = EPOCH_MILLIS + Duration.ofNanos(storeNanos).toMillis();
    pass(trip);
    clock.saw(sent, nanos, shown);
  }

  private void askFor(Duration time) {
    for (long left = time.toSeconds(); left > 0; left--) {
      ask(TRIP);
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void clocks_that_go_on_do_not_step() {
    askFor(Duration.ofMinutes(10));
    ask(Duration.ofSeconds(30));
    ask(TRIP);

    assertThat(clock.steps()).isEqualTo(new ClockSteps(0, Optional.empty()));
    assertThat(logged).isEmpty();
  }

  /** As libfaketime did it: a live lease was taken over, and no log gave the reason. */
  @Test
  void eleven_minutes_forward_are_told_counted_and_kept() {
    askFor(Duration.ofMinutes(1));
    step(Duration.ofMinutes(11));
    ask(TRIP);
    pass(Duration.ofHours(1));

    ClockSteps steps = clock.steps();
    assertThat(steps.count()).isEqualTo(1);
    assertThat(steps.last().orElseThrow().millis()).isBetween(659_900L, 660_000L);
    assertThat(steps.last().orElseThrow().ago()).isEqualTo(Duration.ofHours(1));
    assertThat(logged)
        .singleElement()
        .satisfies(text -> assertThat(text).contains("stepped forward by 659"));
    askFor(Duration.ofMinutes(1));
    assertThat(clock.steps().count()).as("once").isEqualTo(1);
  }

  @Test
  void a_step_back_is_told_as_one() {
    askFor(Duration.ofMinutes(1));
    step(Duration.ofHours(-1));
    ask(TRIP);

    assertThat(clock.steps().last().orElseThrow().millis()).isBetween(-3_600_000L, -3_599_900L);
    assertThat(logged)
        .singleElement()
        .satisfies(text -> assertThat(text).contains("stepped back by 3599"));
  }

  @Test
  void a_clock_that_is_slewed_does_not_step_however_far_it_comes() {
    for (int i = 0; i < 3_600; i++) {
      askFor(Duration.ofSeconds(1));
      step(Duration.ofMillis(1));
    }

    assertThat(clock.steps().count()).isZero();
  }

  @Test
  void what_a_slow_answer_may_hide_is_no_step() {
    askFor(Duration.ofMinutes(1));
    step(Duration.ofSeconds(5));
    ask(Duration.ofSeconds(6));
    assertThat(clock.steps().count()).isZero();

    ask(TRIP);
    assertThat(clock.steps().count()).as("the next answer shows it").isEqualTo(1);
  }

  @Test
  void a_correction_of_less_than_the_bound_is_no_step() {
    askFor(Duration.ofMinutes(1));
    step(Duration.ofMillis(450));
    ask(TRIP);
    step(Duration.ofMillis(-450));
    ask(TRIP);

    assertThat(clock.steps().count()).isZero();
  }
}
