package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.testkit.history.EventSink;
import dev.leasehold.testkit.history.TargetEvent;
import dev.leasehold.testkit.history.TargetEvent.Action;
import java.util.HashMap;
import java.util.Map;

/** The simplest fence there is, which writes down what it does. */
final class HighWaterMark {
  private final EventSink events;
  private final Map<LeaseKey, Token> marks = new HashMap<>();
  private long position;

  HighWaterMark(EventSink events) {
    this.events = events;
  }

  /** Whether the change was let in. */
  synchronized boolean change(LeaseKey key, Token token, long nanos) {
    Token mark = marks.merge(key, token, (old, now) -> now.isAbove(old) ? now : old);
    boolean admitted = mark.equals(token);
    Action action = admitted ? new TargetEvent.Changed() : new TargetEvent.Refused();
    position++;
    events.add(new TargetEvent("mark", key, token, position, nanos, action));
    return admitted;
  }
}
