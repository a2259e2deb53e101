package dev.leasehold.kernel.wires;

import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs tasks on one daemon thread. Tasks are short and never fail. The ticker decides what is due:
 * it jumps when the machine has slept, and the waiting thread does not notice that, so no single
 * wait is longer than {@link #NAP_NANOS}.
 */
public final class SystemScheduler implements Scheduler, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SystemScheduler.class.getName());

  /** How late, at most, a task runs after the machine wakes up. */
  private static final long NAP_NANOS = Duration.ofMillis(500).toNanos();

  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by the lock.
  private final TreeSet<Task> tasks = new TreeSet<>(Task.ORDER);
  private long scheduled;
  private boolean closed;

  private record Task(long dueNanos, long number, Runnable work) {
    /** Compared by difference, since a ticker may overflow. */
    static final Comparator<Task> ORDER =
        (one, other) -> {
          int byTime = Long.signum(one.dueNanos - other.dueNanos);
          return byTime != 0 ? byTime : Long.compare(one.number, other.number);
        };
  }

  /** For what a process opens many of, and never closes. */
  private static final class OfProcess {
    static final SystemScheduler INSTANCE = new SystemScheduler(Ticker.system());
  }

  /** One for the whole process, which is never closed. */
  public static Scheduler ofProcess() {
    return OfProcess.INSTANCE;
  }

  public SystemScheduler(Ticker ticker) {
    this.ticker = ticker;
    Thread.ofPlatform().daemon().name("leasehold-timer").start(this::runTasks);
  }

  /** After closing, no task runs any more. */
  @Override
  public Timer schedule(Runnable work, long delayNanos) {
    lock.lock();
    try {
      Task task = new Task(ticker.nanos() + delayNanos, scheduled++, work);
      if (!closed) {
        tasks.add(task);
        if (tasks.first().equals(task)) {
          changed.signal();
        }
      }
      return () -> cancel(task);
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Task task) {
    lock.lock();
    try {
      tasks.remove(task);
    } finally {
      lock.unlock();
    }
  }

  private void runTasks() {
    Optional<Task> next = next();
    while (next.isPresent()) {
      try {
        next.get().work.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.ERROR, "a timer's task failed; the others go on", e);
      }
      next = next();
    }
  }

  /** Waits for the next task that is due; empty after closing. */
  private Optional<Task> next() {
    lock.lock();
    try {
      while (!closed) {
        if (tasks.isEmpty()) {
          changed.awaitUninterruptibly();
        } else if (tasks.first().dueNanos - ticker.nanos() <= 0) {
          return Optional.of(tasks.removeFirst());
        } else {
          napUntil(tasks.first().dueNanos);
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the loop is in the caller, which checks all conditions again
  private void napUntil(long dueNanos) {
    try {
      changed.awaitNanos(Math.min(dueNanos - ticker.nanos(), NAP_NANOS));
    } catch (InterruptedException e) {
      // A task may leave the thread interrupted, which must not stop the timers of others.
      LOG.log(Level.DEBUG, "a task left the timer interrupted", e);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      tasks.clear();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
