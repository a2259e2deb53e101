package dev.leasehold.kernel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Lines of waiters, with time and store in the test's hands. */
class WaitingLinesTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final Outcome HELD =
      new Outcome.Held("x", Instance.random().id(), Token.of(1, 1), 5_000);

  private final ManualEnvironment time = new ManualEnvironment();
  private final List<Asked> asked = new ArrayList<>();
  private final WaitingLines lines =
      new WaitingLines(
          (acquire, answer) -> asked.add(new Asked(acquire, answer)), time.environment);

  private record Asked(Command.Acquire acquire, Consumer<Outcome> answer) {}

  private final class Caller {
    final Command.Acquire acquire =
        Command.Acquire.of(
            KEY, Instance.random(), RequestId.random(), Terms.of("h", Duration.ofSeconds(30)));
    final List<Outcome> told = new ArrayList<>();
    final WaitingLines.Waiter place;

    Caller(Duration timeout) {
      place = lines.join(acquire, timeout.toNanos(), told::add, LeaseObserver.NONE);
    }
  }

  private Caller patient() {
    return new Caller(Duration.ofSeconds(60));
  }

  /** Answers the one question that is open, and says whose it was. */
  private Command.Acquire answer(Outcome outcome) {
    assertThat(asked).hasSize(1);
    Asked one = asked.removeFirst();
    one.answer().accept(outcome);
    return one.acquire();
  }

  private static Outcome granted(Caller caller) {
    return new Outcome.Granted(
        new Grant(
            Token.of(1, 2),
            caller.acquire.instance().id(),
            caller.acquire.requestId(),
            caller.acquire.terms(),
            0,
            0,
            30_000,
            Progress.startingAt(0),
            Standing.OPEN),
        30_000);
  }

  @Test
  void onlyTheFirstAsksWhenTheKeyMayBeHad() {
    Caller first = patient();
    answer(HELD);
    Caller second = patient();
    assertThat(asked).isEmpty();
    lines.hint(KEY);
    assertThat(answer(granted(first))).isEqualTo(first.acquire);
    assertThat(first.told).hasSize(1);
    assertThat(second.told).isEmpty();
    lines.hint(KEY);
    assertThat(answer(granted(second))).isEqualTo(second.acquire);
    assertThat(lines.waiting()).isZero();
    assertThat(time.pending()).isZero();
  }

  @Test
  void withoutAHintItAsksWhenTheGrantWouldHaveExpired() {
    Caller one = patient();
    answer(HELD);
    time.advance(Duration.ofMillis(4_999));
    assertThat(asked).isEmpty();
    time.advance(Duration.ofMillis(101));
    answer(granted(one));
    assertThat(one.told).hasSize(1);
  }

  @Test
  void aHintThatComesWhileItAsksIsNotLost() {
    Caller one = patient();
    lines.hint(KEY);
    answer(HELD);
    answer(granted(one));
    assertThat(one.told).hasSize(1);
  }

  @Test
  void aBarredWaiterDoesNotBlockTheNext() {
    Caller barred = patient();
    answer(new Outcome.Closed("barred", OptionalLong.of(30_000)));
    Caller next = patient();
    assertThat(answer(new Outcome.Closed("barred", OptionalLong.of(30_000))))
        .isEqualTo(barred.acquire);
    assertThat(answer(granted(next))).isEqualTo(next.acquire);
    assertThat(barred.told).isEmpty();
  }

  @Test
  void aWaiterThatTimesOutAsksOnceMoreAndTakesTheAnswer() {
    patient();
    answer(HELD);
    Caller hasty = new Caller(Duration.ofMillis(100));
    time.advance(Duration.ofMillis(100));
    assertThat(answer(HELD)).isEqualTo(hasty.acquire);
    assertThat(hasty.told).containsExactly(HELD);
    assertThat(lines.waiting()).isEqualTo(1);
  }

  @Test
  void aWaiterThatLeavesIsToldNothingAndTheLineGoesOn() {
    Caller first = patient();
    Caller second = patient();
    first.place.leave();
    answer(HELD);
    assertThat(first.told).isEmpty();
    lines.hint(KEY);
    answer(granted(second));
    assertThat(second.told).hasSize(1);
    assertThat(time.pending()).isZero();
  }

  /** Each would wait as long as the store is given, and one begins when the one before it ends. */
  @Test
  void whenTheStoreFailsOneWaiterNoOtherWaiterAsksIt() {
    Caller first = patient();
    Caller second = patient();
    Outcome silence = new Outcome.Failed(Outcome.Certainty.UNKNOWN, "silence");
    assertThat(answer(silence)).isEqualTo(first.acquire);
    assertThat(first.told).containsExactly(silence);
    assertThat(second.told)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED));
    assertThat(asked).isEmpty();
    assertThat(lines.waiting()).isZero();
    assertThat(time.pending()).isZero();
  }

  @Test
  void allWaitersCanBeSentAwayAndTheOneThatIsAskingHearsWhatCameOfIt() {
    Caller first = patient();
    Caller second = patient();
    Outcome stopping = new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "stopping");
    lines.endAll(stopping);
    assertThat(first.told).as("it may be granted").isEmpty();
    assertThat(answer(granted(first))).isEqualTo(first.acquire);
    assertThat(first.told).containsExactly(granted(first));
    assertThat(second.told).containsExactly(stopping);
    assertThat(lines.waiting()).isZero();
  }

  @Test
  void whoIsToldToWaitOnWhenAllLeaveIsToldToLeave() {
    Caller only = patient();
    Outcome stopping = new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "stopping");
    lines.endAll(stopping);
    assertThat(answer(HELD)).isEqualTo(only.acquire);
    assertThat(only.told).containsExactly(stopping);
  }

  @Test
  void aWaiterThatJoinsAfterTheEndIsToldAtOnceAndDoesNotAsk() {
    Outcome stopping = new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "stopping");
    lines.endAll(stopping);
    Caller late = patient();
    assertThat(late.told).containsExactly(stopping);
    assertThat(asked).isEmpty();
    assertThat(lines.waiting()).isZero();
    assertThat(time.pending()).isZero();
  }
}
