package dev.leasehold.kernel.spi;

/** The one place that reads the process's monotonic clock. */
enum SystemTicker implements Ticker {
  INSTANCE;

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
