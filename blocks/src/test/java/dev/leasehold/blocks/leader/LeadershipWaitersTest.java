package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Environment;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeadershipWaitersTest {
  private final AtomicInteger timers = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final Environment environment =
      new Environment(
          () -> 0,
          (work, delayNanos) -> {
            timers.incrementAndGet();
            return timers::decrementAndGet;
          },
          Runnable::run,
          new SplittableRandom(1));
  private final LeadershipWaiters room =
      new LeadershipWaiters(
          environment,
          () -> {
            asked.incrementAndGet();
            return Optional.empty();
          });

  /** Otherwise a replica that never leads would keep every interrupted waiter for ever. */
  @Test
  void whoDoesNotWaitAnyMoreIsForgotten() {
    CompletableFuture<Optional<WorkSlot>> gone = new CompletableFuture<>();
    CompletableFuture<Optional<WorkSlot>> there = new CompletableFuture<>();
    room.enter(gone, Duration.ofDays(1));
    room.enter(there, Duration.ofDays(1));
    gone.complete(Optional.empty());
    room.removeCancelled();
    asked.set(0);
    room.open();
    assertThat(asked).as("for the one who is there").hasValue(1);
    assertThat(timers).hasValue(1);
    assertThat(there).isNotDone();
  }
}
