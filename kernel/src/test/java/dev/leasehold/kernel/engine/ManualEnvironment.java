package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * A single-threaded environment: time stands still until the test advances it, events run one after
 * another, and the test chooses the jitter. The ticker starts shortly before it overflows, so that
 * code that compares its readings other than by difference fails.
 */
final class ManualEnvironment {
  static final long START_NANOS = Long.MAX_VALUE - Duration.ofSeconds(12).toNanos();

  final ChosenJitter jitter = new ChosenJitter();
  final Environment environment =
      new Environment(() -> this.nowNanos, this::schedule, this::event, jitter);

  private final PriorityQueue<Task> tasks = new PriorityQueue<>(Task.ORDER);
  private final Deque<Runnable> events = new ArrayDeque<>();
  private long nowNanos = START_NANOS;
  private long scheduled;
  private boolean running;
  private boolean heldBack;

  private record Task(long dueNanos, long number, Runnable work) {
    static final Comparator<Task> ORDER =
        (one, other) -> {
          int byTime = Long.signum(one.dueNanos - other.dueNanos);
          return byTime != 0 ? byTime : Long.compare(one.number, other.number);
        };
  }

  private Scheduler.Timer schedule(Runnable work, long delayNanos) {
    Task task = new Task(nowNanos + delayNanos, scheduled++, work);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /** Runs an event and all events that it causes, or keeps it while events are held back. */
  void event(Runnable event) {
    events.addLast(event);
    if (!running && !heldBack) {
      running = true;
      try {
        while (!events.isEmpty()) {
          events.removeFirst().run();
        }
      } finally {
        running = false;
      }
    }
  }

  /**
   * From now on timers fire and answers arrive, but no event runs: the process is busy elsewhere.
   */
  void holdBackEvents() {
    heldBack = true;
  }

  void letEventsRun() {
    heldBack = false;
    event(() -> {});
  }

  /** How many timers are set. */
  int pending() {
    return tasks.size();
  }

  /** Lets time pass; each timer fires at its own time. */
  void advance(Duration by) {
    long endNanos = nowNanos + by.toNanos();
    Task next = tasks.peek();
    while (next != null && next.dueNanos - endNanos <= 0) {
      tasks.remove(next);
      nowNanos = next.dueNanos - nowNanos > 0 ? next.dueNanos : nowNanos;
      next.work.run();
      next = tasks.peek();
    }
    // An event may have taken longer than that, and a ticker never goes back.
    nowNanos = endNanos - nowNanos > 0 ? endNanos : nowNanos;
  }

  void advanceMillis(long millis) {
    advance(Duration.ofMillis(millis));
  }

  /** Suspends the process, or its machine: timers that fell due fire late. */
  void pause(Duration length) {
    nowNanos += length.toNanos();
  }

  /** The time since the beginning. */
  long elapsedMillis() {
    return Duration.ofNanos(nowNanos - START_NANOS).toMillis();
  }

  long nowNanos() {
    return nowNanos;
  }

  int timers() {
    return tasks.size();
  }
}
