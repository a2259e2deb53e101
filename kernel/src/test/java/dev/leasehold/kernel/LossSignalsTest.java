package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** I9: loss cancels bound work once, and no foreign code runs in the turn. */
class LossSignalsTest {
  private static final LossReason EXPIRED = new LossReason.Expired();

  private final List<Runnable> elsewhere = new ArrayList<>();
  private final LossSignals signals = new LossSignals(elsewhere::add);

  private void runElsewhere() {
    List<Runnable> tasks = List.copyOf(elsewhere);
    elsewhere.clear();
    tasks.forEach(Runnable::run);
  }

  @Test
  void aBoundThreadIsInterruptedAtOnce() {
    Lease.Binding binding = signals.bind(Thread.currentThread());
    signals.ending();
    assertThat(Thread.interrupted()).as("told to stop is not interrupted").isFalse();
    signals.lost(EXPIRED);

    assertThat(Thread.interrupted()).isTrue();
    binding.close();
  }

  @Test
  void aThreadThatIsNoLongerBoundIsNotInterrupted() {
    signals.bind(Thread.currentThread()).close();
    signals.lost(EXPIRED);

    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aThreadBoundTwiceStaysBoundUntilBothAreClosed() {
    signals.bind(Thread.currentThread()).close();
    Lease.Binding second = signals.bind(Thread.currentThread());
    signals.lost(EXPIRED);

    assertThat(Thread.interrupted()).isTrue();
    second.close();
  }

  @Test
  void workThatIsBoundTooLateIsCancelledRightAway() {
    signals.lost(EXPIRED);
    FutureTask<String> task = new FutureTask<>(() -> "never");
    signals.bind(task).close();

    assertThat(task).isCancelled();
  }

  @Test
  void aTaskIsCancelledOnAnotherThread() {
    CompletableFuture<String> task = new CompletableFuture<>();
    List<String> chained = new ArrayList<>();
    var unused = task.whenComplete((result, failure) -> chained.add("ran"));
    Lease.Binding binding = signals.bind(task);
    signals.lost(EXPIRED);
    assertThat(chained).as("what is chained to it may block").isEmpty();

    runElsewhere();
    assertThat(task).isCancelled();
    assertThat(chained).containsExactly("ran");
    binding.close();
  }

  @Test
  void aTaskWhoseBindingIsClosedFirstIsNotCancelled() {
    CompletableFuture<String> task = new CompletableFuture<>();
    Lease.Binding binding = signals.bind(task);
    signals.lost(EXPIRED);
    binding.close();
    runElsewhere();

    assertThat(task).isNotDone();
  }

  @Test
  void aBindingCanBeClosedByWhatItsCancellationRuns() {
    List<Lease.Binding> bindings = new ArrayList<>();
    List<CompletableFuture<String>> tasks =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    for (CompletableFuture<String> task : tasks) {
      var unused = task.whenComplete((result, failure) -> bindings.forEach(Lease.Binding::close));
      bindings.add(signals.bind(task));
    }
    signals.lost(EXPIRED);
    runElsewhere();

    assertThat(tasks.getFirst()).isCancelled();
  }

  @Test
  void aTaskThatCannotBeCancelledKeepsNoFutureFromBeingToldOrCancelled() {
    List<LossReason> told = new ArrayList<>();
    var unused = signals.whenLost().thenAccept(told::add);
    FutureTask<String> unwilling =
        new FutureTask<>(() -> "never") {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            throw new IllegalStateException("planted");
          }
        };
    FutureTask<String> willing = new FutureTask<>(() -> "never");
    signals.bind(unwilling);
    signals.bind(willing);
    signals.lost(EXPIRED);
    runElsewhere();

    assertThat(willing).isCancelled();
    assertThat(told).containsExactly(EXPIRED);
  }

  @Test
  void onlyWhatIsStillBoundIsCancelledInTheOrderOfBinding() {
    List<String> cancelled = new ArrayList<>();
    List<Lease.Binding> bindings = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      CompletableFuture<String> task = new CompletableFuture<>();
      var unused = task.whenComplete((result, failure) -> cancelled.add(name));
      bindings.add(signals.bind(task));
    }
    for (int ended : List.of(2, 4, 0)) {
      bindings.get(ended).close();
      bindings.get(ended).close();
    }
    signals.lost(EXPIRED);
    runElsewhere();

    assertThat(cancelled).containsExactly("b", "d");
  }

  @Test
  void allIsAtRestWhenTheLastBindingIsClosedAndLaterWorkIsCancelled() {
    Lease.Binding first = signals.bind(new CompletableFuture<>());
    Lease.Binding second = signals.bind(new CompletableFuture<>());
    List<String> told = new ArrayList<>();
    for (String name : List.of("one", "other")) {
      var unused = signals.whenAtRest().thenRun(() -> told.add(name));
    }
    first.close();
    first.close();
    assertThat(told).isEmpty();
    CompletableFuture<String> meanwhile = new CompletableFuture<>();
    Lease.Binding third = signals.bind(meanwhile);
    second.close();
    assertThat(told).as("work that came meanwhile counts").isEmpty();
    assertThat(meanwhile).isNotDone();

    third.close();
    assertThat(told).containsExactlyInAnyOrder("one", "other");
    CompletableFuture<String> late = new CompletableFuture<>();
    signals.bind(late).close();
    assertThat(late).isCancelled();
  }

  @Test
  void whatIsLeftAfterAGivenUpLeasesGraceIsStoppedAndOnlyThenIsItALoss() {
    CompletableFuture<LossReason> lost = signals.whenLost().toCompletableFuture();
    signals.giveUp(Optional.empty());
    signals.stopWorkThatIsLeft();
    runElsewhere();
    assertThat(lost).isNotDone();

    LossSignals busy = new LossSignals(elsewhere::add);
    CompletableFuture<String> work = new CompletableFuture<>();
    Lease.Binding binding = busy.bind(work);
    busy.giveUp(Optional.empty());
    busy.stopWorkThatIsLeft();
    runElsewhere();
    assertThat(work).isCancelled();
    assertThat(busy.reason()).contains(new LossReason.Released());
    binding.close();
  }

  @Test
  void aLossThatIsFoundWhenTheLeaseIsGivenUpIsTold() {
    CompletableFuture<LossReason> lost = signals.whenLost().toCompletableFuture();
    signals.giveUp(Optional.of(EXPIRED));
    signals.giveUp(Optional.of(new LossReason.Released()));
    runElsewhere();

    assertThat(lost).isCompletedWithValue(EXPIRED);
    assertThat(signals.reason()).contains(EXPIRED);
  }

  @Test
  void futuresTellACallerThatAsksBeforeOrAfter() {
    CompletableFuture<Void> before = signals.whenEnding().toCompletableFuture();
    signals.ending();
    signals.lost(EXPIRED);
    CompletableFuture<LossReason> after = signals.whenLost().toCompletableFuture();
    runElsewhere();

    assertThat(before).isCompleted();
    assertThat(after).isCompletedWithValue(EXPIRED);
    assertThat(signals.isEnding()).isTrue();
  }
}
