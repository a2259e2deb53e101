package dev.leasehold.verification.crash;

import dev.leasehold.kernel.spi.Ticker;

/**
 * The monotonic clock of the machine, which its processes share: what one process has noted before
 * another is earlier by it. {@link Ticker#system()} is not, for each process moves that forward by
 * what it believes the machine slept, and takes a long preemption for sleep.
 */
final class MachineTicker implements Ticker {
  static final MachineTicker INSTANCE = new MachineTicker();

  private MachineTicker() {}

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
