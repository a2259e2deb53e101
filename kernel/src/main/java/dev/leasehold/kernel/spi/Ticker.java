package dev.leasehold.kernel.spi;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

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

  /**
   * The system's ticker over other clocks than this machine's: a simulator runs the very code that
   * tells a machine that slept from a wall clock that was set.
   *
   * @param bootNanos time since boot, which counts sleep; empty where it cannot be read
   */
  static Ticker over(
      LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> bootNanos) {
    return new SystemTicker(
        new SystemTicker.Clocks(monotonicNanos, wallMillis, bootNanos), jump -> {});
  }
}
