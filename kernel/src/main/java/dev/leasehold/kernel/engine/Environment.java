package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * All that the state machines have of the world.
 *
 * @param turns runs events one at a time, in the order given; one given during an event runs after
 */
public record Environment(
    Ticker ticker, Scheduler scheduler, Executor turns, RandomGenerator random) {

  public long now() {
    return ticker.nanos();
  }

  /** An event of its own, after this time. */
  public Scheduler.Timer after(long delayNanos, Runnable event) {
    return scheduler.schedule(() -> turns.execute(event), Math.max(0, delayNanos));
  }

  /** A time between 0 and the bound, each as likely. */
  public long upTo(long boundNanos) {
    return boundNanos <= 0 ? 0 : random.nextLong(boundNanos + 1);
  }
}
