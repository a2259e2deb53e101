package dev.leasehold.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.remote.wire.Diagnosis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How many examinations run, regardless of the number of callers. */
class SharedExaminationTest {
  private static final List<Diagnosis> FOUND = List.of(new Diagnosis.Ok("store", "it answers"));

  private final List<CompletableFuture<List<Diagnosis>>> begun = new ArrayList<>();
  private long nowNanos;
  private final SharedExamination shared = new SharedExamination(this::begin, () -> nowNanos);

  private CompletableFuture<List<Diagnosis>> begin() {
    begun.add(new CompletableFuture<>());
    return begun.getLast();
  }

  private CompletableFuture<List<Diagnosis>> ask() {
    return shared.ask().toCompletableFuture();
  }

  @Test
  void aCallerThatAsksWhileAnExaminationIsUnderWayGetsItsAnswer() {
    CompletableFuture<List<Diagnosis>> first = ask();
    nowNanos += 10 * SharedExamination.KEPT.toNanos();
    CompletableFuture<List<Diagnosis>> second = ask();
    assertThat(begun).hasSize(1);
    assertThat(first.cancel(true)).as("gives up, for itself").isTrue();
    begun.getFirst().complete(FOUND);
    assertThat(second).isCompletedWithValue(FOUND);
  }

  @Test
  void whatWasFoundIsKeptForAWhileAfterItsEnd() {
    CompletableFuture<List<Diagnosis>> first = ask();
    nowNanos += SharedExamination.KEPT.toNanos();
    begun.getFirst().complete(FOUND);
    assertThat(first).isCompletedWithValue(FOUND);
    nowNanos += SharedExamination.KEPT.toNanos() - 1;
    assertThat(ask()).isCompletedWithValue(FOUND);
    assertThat(begun).hasSize(1);
    nowNanos += 1;
    assertThat(ask()).isNotDone();
    assertThat(begun).hasSize(2);
  }

  /** An operator who has repaired something looks again at once. */
  @Test
  void whatIsForgottenIsExaminedAnew() {
    CompletableFuture<List<Diagnosis>> first = ask();
    shared.forget();
    CompletableFuture<List<Diagnosis>> second = ask();
    assertThat(begun).hasSize(2);
    begun.getFirst().complete(FOUND);
    assertThat(first).isCompletedWithValue(FOUND);
    assertThat(second).isNotDone();
  }

  @Test
  void aFailureIsNotKept() {
    CompletableFuture<List<Diagnosis>> first = ask();
    begun.getFirst().completeExceptionally(new IllegalStateException("away"));
    assertThat(first).isCompletedExceptionally();
    assertThat(ask()).isNotDone();
    assertThat(begun).hasSize(2);
  }
}
