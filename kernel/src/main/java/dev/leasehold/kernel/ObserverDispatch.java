package dev.leasehold.kernel;

import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Keeps observers from delaying or failing what they observe: it accepts an event without blocking
 * or throwing, and passes it on from another thread. State is guarded by the monitor of this
 * object, which is held for moments.
 */
public final class ObserverDispatch implements LeaseObserver {
  private static final System.Logger LOG = System.getLogger(ObserverDispatch.class.getName());

  /** An observer that hangs must not fill the memory. */
  static final int MOST_PENDING = 10_000;

  private final List<LeaseObserver> observers;
  private final Executor threads;
  private final Queue<LeaseEvent> pending = new ArrayDeque<>();
  private boolean telling;
  private long dropped;

  private ObserverDispatch(List<LeaseObserver> observers, Executor threads) {
    this.observers = List.copyOf(observers);
    this.threads = threads;
  }

  /** Passes events to several observers; each gets them even if another one throws. */
  public static LeaseObserver to(List<LeaseObserver> observers, Executor threads) {
    return observers.isEmpty() ? LeaseObserver.NONE : new ObserverDispatch(observers, threads);
  }

  /** To one, unless it is such a dispatch already: then its events stay in one order. */
  public static LeaseObserver to(LeaseObserver observer, Executor threads) {
    return observer instanceof ObserverDispatch ? observer : to(List.of(observer), threads);
  }

  @Override
  public void observed(LeaseEvent event) {
    if (isNextToBegin(event)) {
      try {
        threads.execute(this::tellPending);
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "observers miss events: no thread could be started for them", e);
        stop();
      }
    }
  }

  /** Whether a thread must be started to pass events on. */
  private synchronized boolean isNextToBegin(LeaseEvent event) {
    if (pending.size() >= MOST_PENDING) {
      if (dropped++ == 0) {
        LOG.log(
            Level.WARNING, "an observer is too slow: events are dropped until it has caught up");
      }
      return false;
    }
    pending.add(event);
    boolean begins = !telling;
    telling = true;
    return begins;
  }

  private void tellPending() {
    Optional<LeaseEvent> event = next();
    while (event.isPresent()) {
      for (LeaseObserver observer : observers) {
        tell(observer, event.get());
      }
      event = next();
    }
  }

  private synchronized Optional<LeaseEvent> next() {
    Optional<LeaseEvent> event = Optional.ofNullable(pending.poll());
    if (event.isEmpty()) {
      telling = false;
      if (dropped > 0) {
        LOG.log(Level.WARNING, "observers have caught up; {0} events were dropped", dropped);
        dropped = 0;
      }
    }
    return event;
  }

  private synchronized void stop() {
    telling = false;
  }

  private static void tell(LeaseObserver observer, LeaseEvent event) {
    try {
      observer.observed(event);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "an observer failed at " + event, e);
    }
  }
}
