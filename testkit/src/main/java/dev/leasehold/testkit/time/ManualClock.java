package dev.leasehold.testkit.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wall clock that stands still until it is set, and can be stepped both ways as real ones are.
 */
public final class ManualClock implements InstantSource {
  private final AtomicLong millis;

  public ManualClock(long startMillis) {
    this.millis = new AtomicLong(startMillis);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long millis() {
    return millis.get();
  }

  public void set(long epochMillis) {
    millis.set(epochMillis);
  }

  /** Moves it by so much; back when the duration is negative. */
  public void advance(Duration by) {
    millis.addAndGet(by.toMillis());
  }
}
