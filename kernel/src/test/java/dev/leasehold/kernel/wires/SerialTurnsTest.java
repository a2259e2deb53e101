package dev.leasehold.kernel.wires;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Events from any thread run once and one at a time, even if others fail. */
class SerialTurnsTest {
  private static final Executor ELSEWHERE = task -> Thread.ofVirtual().start(task);

  private final SerialTurns turns = new SerialTurns(ELSEWHERE);

  @Test
  void eventsRunInOrderAndOneGivenDuringAnotherRunsAfterIt() {
    List<String> ran = new ArrayList<>();
    turns.execute(
        () -> {
          turns.execute(() -> ran.add("inner"));
          ran.add("outer");
        });

    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void anExceptionOrAnErrorStopsNothing() {
    List<String> ran = new ArrayList<>();
    turns.execute(
        () -> {
          turns.execute(() -> ran.add("next"));
          throw new IllegalStateException("planted");
        });
    turns.execute(
        () -> {
          turns.execute(() -> ran.add("after the error"));
          throw new StackOverflowError("planted");
        });
    turns.execute(() -> ran.add("last"));

    assertThat(ran).containsExactly("next", "after the error", "last");
  }

  /** Plain fields on purpose: the next event must see what this one writes. */
  @Test
  void manyThreadsLoseNoEventAndRunOneAtATime() throws InterruptedException {
    int threads = 8;
    int each = 5_000;
    CountDownLatch all = new CountDownLatch(threads * each);
    int[] plain = new int[2];
    for (int t = 0; t < threads; t++) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                for (int i = 0; i < each; i++) {
                  turns.execute(
                      () -> {
                        plain[1] += ++plain[0] == plain[1] + 1 ? 1 : 0;
                        all.countDown();
                      });
                }
              });
    }

    assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
    int[] seen = new int[2];
    CountDownLatch read = new CountDownLatch(1);
    turns.execute(
        () -> {
          System.arraycopy(plain, 0, seen, 0, 2);
          read.countDown();
        });
    assertThat(read.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(seen).containsExactly(threads * each, threads * each);
  }

  /** Otherwise a caller would run events for as long as other callers submit them. */
  @Test
  void aCallerRunsOnlySoManyEventsOfOthers() throws InterruptedException {
    Thread caller = Thread.currentThread();
    CountDownLatch last = new CountDownLatch(1);
    List<Thread> runners = new ArrayList<>();
    turns.execute(
        () -> {
          for (int i = 0; i < 2 * SerialTurns.LONGEST_STINT; i++) {
            turns.execute(() -> runners.add(Thread.currentThread()));
          }
          turns.execute(last::countDown);
        });

    assertThat(last.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(runners.stream().filter(caller::equals).count())
        .isEqualTo(SerialTurns.LONGEST_STINT - 1);
    assertThat(runners).hasSize(2 * SerialTurns.LONGEST_STINT);
  }
}
