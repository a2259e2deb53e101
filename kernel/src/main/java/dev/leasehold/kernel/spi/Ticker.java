package dev.leasehold.kernel.spi;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The source of elapsed time in a process: nanoseconds that never go back, of which only
 * differences have a meaning. Waiting and trust use a ticker, so that tests can control time.
 */
@FunctionalInterface
public interface Ticker {
  long nanos();

  static Ticker system() {
    return SystemTicker.INSTANCE;
  }

  /**
   * The system's ticker over other clocks than this machine's, so that a simulator runs the same
   * code that distinguishes a machine that slept from a wall clock that was set.
   *
   * @param bootNanos time since boot, which counts sleep; empty where it cannot be read
   */
  static Ticker over(
      LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> bootNanos) {
    return new SystemTicker(
        new SystemTicker.Clocks(monotonicNanos, wallMillis, bootNanos), jump -> {});
  }
}
