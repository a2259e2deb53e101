package dev.leasehold.benchmarks.micro;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store's clock that advances by a second at each reading. So the memory of requests, which is
 * bounded by time, stays small at any rate of commands, and a run does not depend on earlier ones.
 */
final class RunningClock implements InstantSource {
  private static final long STEP_MILLIS = 1_000;

  private final AtomicLong millis = new AtomicLong(Duration.ofDays(20_000).toMillis());

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return millis.addAndGet(STEP_MILLIS);
  }
}
