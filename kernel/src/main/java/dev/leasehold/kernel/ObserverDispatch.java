package dev.leasehold.kernel;

import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The observers of a process or of a server, composed into one. Those <em>in place</em> return at
 * once, and are told by the thread that reports the event. <em>Queued</em> ones are users': they
 * are told in order, one event at a time, on another thread. No observer delays or fails what it
 * observes. State is guarded by the monitor of this object, under which none is told.
 */
public final class ObserverDispatch implements LeaseObserver {
  private static final System.Logger LOG = System.getLogger(ObserverDispatch.class.getName());

  /** An observer that hangs must not fill the memory. */
  static final int MOST_PENDING = 10_000;

  private final List<LeaseObserver> inPlace;
  private final List<LeaseObserver> queued;
  private final Executor threads;
  private final AtomicLong failures;
  private final Queue<LeaseEvent> pending = new ArrayDeque<>();
  private boolean telling;
  private long dropped;
  private long droppedBefore;

  private ObserverDispatch(
      List<LeaseObserver> inPlace,
      List<LeaseObserver> queued,
      Executor threads,
      AtomicLong failures) {
    this.inPlace = List.copyOf(inPlace);
    this.queued = List.copyOf(queued);
    this.threads = threads;
    this.failures = failures;
  }

  /** Each observer gets every event, even if another one throws. */
  public static ObserverDispatch to(
      List<LeaseObserver> inPlace, List<LeaseObserver> queued, Executor threads) {
    return new ObserverDispatch(inPlace, queued, threads, new AtomicLong());
  }

  /** To one queued observer, unless it is such a dispatch already: its events stay in one order. */
  public static ObserverDispatch to(LeaseObserver observer, Executor threads) {
    return observer instanceof ObserverDispatch dispatch
        ? dispatch
        : to(List.of(), List.of(observer), threads);
  }

  /** The same observers, after one more in place. */
  public ObserverDispatch with(LeaseObserver first) {
    return new ObserverDispatch(List.of(first, this), List.of(), threads, failures);
  }

  /** How often an observer has thrown. */
  public long failures() {
    return failures.get();
  }

  /** How many events the queued observers were too slow for. */
  public synchronized long dropped() {
    return dropped;
  }

  @Override
  public void observed(LeaseEvent event) {
    inPlace.forEach(observer -> tell(observer, event));
    if (!queued.isEmpty() && isNextToBegin(event)) {
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
      if (dropped++ == droppedBefore) {
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
      for (LeaseObserver observer : queued) {
        tell(observer, event.get());
      }
      event = next();
    }
  }

  private synchronized Optional<LeaseEvent> next() {
    Optional<LeaseEvent> event = Optional.ofNullable(pending.poll());
    if (event.isEmpty()) {
      telling = false;
      if (dropped > droppedBefore) {
        long missed = dropped - droppedBefore;
        LOG.log(Level.WARNING, "observers have caught up; {0} events were dropped", missed);
        droppedBefore = dropped;
      }
    }
    return event;
  }

  private synchronized void stop() {
    telling = false;
  }

  private void tell(LeaseObserver observer, LeaseEvent event) {
    try {
      observer.observed(event);
    } catch (Throwable e) {
      failures.incrementAndGet();
      LOG.log(Level.ERROR, "an observer failed at " + event, e);
    }
  }
}
