package dev.leasehold.testkit.history;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Events in memory, for runs that stay in one process. */
public final class EventLog implements EventSink {
  // Lock-free: a recorder that made threads queue would hide the races it is there to see.
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();

  @Override
  public void add(Event event) {
    events.add(event);
  }

  /** What was written so far. */
  public List<Event> events() {
    return List.copyOf(events);
  }
}
