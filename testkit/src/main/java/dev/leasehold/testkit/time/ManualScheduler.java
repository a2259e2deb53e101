package dev.leasehold.testkit.time;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Runs tasks at virtual times, on the thread that turns the time: in the order in which they are
 * due, and those due at one moment in the order in which they were scheduled. For one thread.
 *
 * <p>A ticker that is turned past the scheduler's back is a paused process: what fell due meanwhile
 * runs late, at the next {@link #advance}.
 */
public final class ManualScheduler {
  private final ManualTicker ticker;
  private final PriorityQueue<Task> tasks = new PriorityQueue<>(Task.ORDER);
  private long scheduled;

  private record Task(long dueNanos, long number, Runnable work) implements Comparable<Task> {
    static final Comparator<Task> ORDER = Comparator.naturalOrder();

    /** By difference, since a ticker may overflow. */
    @Override
    public int compareTo(Task other) {
      int byTime = Long.signum(dueNanos - other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  public ManualScheduler(ManualTicker ticker) {
    this.ticker = ticker;
  }

  /** Has the work run once so much time has passed; with no delay, at the next advance. */
  public Cancellable schedule(Runnable work, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay of " + delay + " is negative");
    }
    Task task = new Task(ticker.nanos() + delay.toNanos(), scheduled++, work);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /**
   * Lets time pass, and runs all that falls due at its own moment, also what is scheduled
   * meanwhile. A task that fails stops the advance there and is not run again.
   */
  public void advance(Duration by) {
    long endNanos = ticker.nanos() + by.toNanos();
    Task next = tasks.peek();
    while (next != null && next.dueNanos - endNanos <= 0) {
      tasks.remove(next);
      turnTo(next.dueNanos);
      next.work.run();
      next = tasks.peek();
    }
    turnTo(endNanos);
  }

  /** How many tasks wait. */
  public int pending() {
    return tasks.size();
  }

  private void turnTo(long nanos) {
    ticker.advance(Duration.ofNanos(Math.max(0, nanos - ticker.nanos())));
  }
}
