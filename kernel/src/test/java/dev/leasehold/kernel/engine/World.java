package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * A world of one thread: time stands still until it is turned, events run one after another, and
 * jitter is what the test says. The ticker starts shortly before it overflows, so that nobody
 * compares its readings but by their difference.
 */
final class World {
  static final long START_NANOS = Long.MAX_VALUE - Duration.ofSeconds(12).toNanos();

  final Dice dice = new Dice();
  final Environment environment =
      new Environment(() -> this.nowNanos, this::schedule, this::event, dice);

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

  /** Runs an event, and all that it brings; or keeps it for later, while events are held back. */
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

  /** Timers fire, answers come, but nobody's turn comes: the process is busy elsewhere. */
  void holdBackEvents() {
    heldBack = true;
  }

  void letEventsRun() {
    heldBack = false;
    event(() -> {});
  }

  /** Lets time pass; what falls due runs at its own moment. */
  void advance(Duration by) {
    long endNanos = nowNanos + by.toNanos();
    Task next = tasks.peek();
    while (next != null && next.dueNanos - endNanos <= 0) {
      tasks.remove(next);
      nowNanos = next.dueNanos - nowNanos > 0 ? next.dueNanos : nowNanos;
      next.work.run();
      next = tasks.peek();
    }
    // What ran may have taken longer than that: a ticker never goes back.
    nowNanos = endNanos - nowNanos > 0 ? endNanos : nowNanos;
  }

  void advanceMillis(long millis) {
    advance(Duration.ofMillis(millis));
  }

  /** The process stands still, or its machine sleeps: what fell due runs late. */
  void pause(Duration length) {
    nowNanos += length.toNanos();
  }

  /** How long it has been since the beginning. */
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
