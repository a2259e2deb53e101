package dev.leasehold.kernel.spi;

/**
 * Where a process takes elapsed time from: nanoseconds that never go back, with no meaning but
 * their differences. Everything that waits or trusts asks a ticker, so that tests can turn it.
 */
@FunctionalInterface
public interface Ticker {
  long nanos();

  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
