package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An attempt that is over cancels its timer, which would keep it in memory. */
class AttemptTimersTest {
  private static final Duration WAIT = Duration.ofHours(1);

  private final List<Long> waiting = new ArrayList<>();
  private final InstantSource clock = () -> Instant.ofEpochSecond(1_700_000_000);
  private final Leases leases =
      Leases.on(new MemoryLeaseStore(clock, Limits.SINGLE_NODE))
          .holder("worker-1")
          .ticker(() -> 0)
          .scheduler(this::schedule)
          .open();

  private Scheduler.Timer schedule(Runnable task, long delayNanos) {
    Long delay = delayNanos;
    waiting.add(delay);
    return () -> waiting.remove(delay);
  }

  @Test
  void anAttemptThatGotItsLeaseDoesNotWaitForItsDeadline() throws InterruptedException {
    Acquisition acquisition = leases.acquire(LeaseRequest.of("lock/a"), WAIT);

    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    assertThat(waiting).isNotEmpty().allMatch(delay -> delay < WAIT.toNanos());
  }
}
