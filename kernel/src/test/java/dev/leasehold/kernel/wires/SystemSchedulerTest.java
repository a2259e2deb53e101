package dev.leasehold.kernel.wires;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real waiting; the ticker decides what is due. */
@Timeout(120)
class SystemSchedulerTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final SystemScheduler scheduler = new SystemScheduler(now::get);
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final CountDownLatch last = new CountDownLatch(1);

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void aMachineThatSleptFindsWhatHasFallenDueSoonAfterItWakesUp() throws InterruptedException {
    scheduler.schedule(last::countDown, HOUR);
    now.addAndGet(HOUR);

    assertThat(last.await(60, SECONDS)).isTrue();
  }

  @Test
  void tasksRunInTheOrderTheyAreDueAndOneThatFailsStopsNoOther() throws InterruptedException {
    scheduler.schedule(last::countDown, 30);
    scheduler.schedule(() -> ran.add("second"), 20);
    scheduler.schedule(
        () -> {
          ran.add("first");
          throw new IllegalStateException("planted");
        },
        10);
    now.addAndGet(30);

    assertThat(last.await(60, SECONDS)).isTrue();
    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void whatIsCancelledOrNotDueDoesNotRun() throws InterruptedException {
    Scheduler.Timer cancelled = scheduler.schedule(() -> ran.add("cancelled"), 10);
    scheduler.schedule(() -> ran.add("later"), HOUR);
    cancelled.cancel();
    scheduler.schedule(last::countDown, 20);
    now.addAndGet(20);

    assertThat(last.await(60, SECONDS)).isTrue();
    assertThat(ran).isEmpty();
  }

  @Test
  void afterClosingNothingIsWaitedFor() throws InterruptedException {
    scheduler.close();
    scheduler.schedule(() -> ran.add("never"), 0).cancel();

    assertThat(ran).isEmpty();
  }

  @Test
  void realTimeDoes() throws InterruptedException {
    try (SystemScheduler real = new SystemScheduler(Ticker.system())) {
      real.schedule(last::countDown, Duration.ofMillis(5).toNanos());

      assertThat(last.await(60, SECONDS)).isTrue();
    }
  }
}
