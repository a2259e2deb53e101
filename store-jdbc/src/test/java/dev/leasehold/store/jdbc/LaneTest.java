package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.store.jdbc.batches.Lane;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class LaneTest {
  /** The caller has been told that no answer came, and may have sent the opposite since. */
  @Test
  void a_command_that_no_caller_waits_for_any_more_is_not_begun() throws InterruptedException {
    List<String> done = new CopyOnWriteArrayList<>();
    CountDownLatch goOn = new CountDownLatch(1);
    try (Lane lane = new Lane("test", 1)) {
      CompletionStage<Boolean> slow =
          lane.submit(
              () -> {
                goOn.await();
                return done.add("slow");
              });
      CompletionStage<Boolean> late = lane.submit(() -> done.add("late"));
      for (CompletionStage<Boolean> unanswered : List.of(slow, late)) {
        assertThatThrownBy(() -> TestCommands.get(unanswered))
            .hasCauseInstanceOf(TimeoutException.class);
      }
      goOn.countDown();
      assertThat(TestCommands.get(lane.submit(() -> done.add("next")))).isTrue();
    }
    assertThat(done).containsExactly("slow", "next");
  }
}
