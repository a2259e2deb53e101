package dev.leasehold.kernel.spi;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** The system's ticker over clocks that the test supplies. */
public final class TickerAccess {
  private TickerAccess() {}

  /** A ticker that knows no time since boot, so that a wall clock that runs ahead means sleep. */
  public static Ticker over(LongSupplier monotonicNanos, LongSupplier wallMillis) {
    return new SystemTicker(
        new SystemTicker.Clocks(monotonicNanos, wallMillis, OptionalLong::empty), jump -> {});
  }
}
