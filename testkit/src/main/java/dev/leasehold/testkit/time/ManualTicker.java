package dev.leasehold.testkit.time;

import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Elapsed time that stands still until it is turned, and never goes back. */
public final class ManualTicker implements Ticker {
  private final AtomicLong nanos;

  public ManualTicker() {
    this(0);
  }

  /** Starts anywhere, also near the overflow that code comparing tickers must survive. */
  public ManualTicker(long startNanos) {
    this.nanos = new AtomicLong(startNanos);
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("a ticker never goes back, not even by " + by);
    }
    nanos.addAndGet(by.toNanos());
  }
}
