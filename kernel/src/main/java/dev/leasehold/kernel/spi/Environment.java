package dev.leasehold.kernel.spi;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Everything that the state machines use from outside: time, waiting, randomness and turns.
 *
 * @param turns runs events one at a time, in order; an event that is submitted during another runs
 *     after it
 */
public record Environment(
    Ticker ticker, Scheduler scheduler, Executor turns, RandomGenerator random) {

  public long now() {
    return ticker.nanos();
  }

  /** Runs a new event after this time. */
  public Scheduler.Timer after(long delayNanos, Runnable event) {
    return scheduler.schedule(() -> turns.execute(event), Math.max(0, delayNanos));
  }

  /** A random time between 0 and the bound, evenly distributed. */
  public long upTo(long boundNanos) {
    return boundNanos <= 0 ? 0 : random.nextLong(boundNanos + 1);
  }
}
