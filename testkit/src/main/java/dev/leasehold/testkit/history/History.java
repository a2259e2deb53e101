package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The events of a run, put together: calls with their answers, logs in the order of commits. */
public final class History {
  private static final Result NO_ANSWER =
      new Result.Unknown("its process did not live to see an answer");

  private final Map<LeaseKey, KeyHistory> keys = new TreeMap<>();
  private final List<Fault> faults = new ArrayList<>();
  private final Map<CallId, Event.Called> open = new HashMap<>();

  private final NavigableMap<Long, Long> clock = new TreeMap<>();
  private final List<Answered> answered = new ArrayList<>();

  private record Answered(Event.Called called, Result result, long returnedNanos) {}

  private record CallId(String process, long number) {}

  private History() {}

  /**
   * Puts events together. Those of one process come in the order in which it wrote them; between
   * processes the order does not matter.
   */
  public static History of(Collection<? extends Event> events) {
    History history = new History();
    events.forEach(history::add);
    // Only now, since what the clock showed may stand in another process's file.
    history.answered.forEach(history::addCall);
    history.answered.clear();
    history.open.values().stream()
        .map(call -> new Answered(call, NO_ANSWER, Call.NEVER))
        .forEach(history::addCall);
    history.open.clear();
    history.keys.values().forEach(KeyHistory::arrange);
    return history;
  }

  private void add(Event event) {
    switch (event) {
      case Event.Called called -> open.put(new CallId(called.process(), called.number()), called);
      case Event.Returned returned -> {
        Event.Called called = open.remove(new CallId(returned.process(), returned.number()));
        if (called != null) {
          answered.add(new Answered(called, returned.result(), returned.nanos()));
        }
      }
      case Event.ClockShown shown -> clock.merge(shown.nanos(), shown.storeMillis(), Math::max);
      case LogEntry entry -> of(entry.key()).add(entry);
      case TargetEvent targetEvent -> of(targetEvent.key()).add(targetEvent);
      case Fault fault -> faults.add(fault);
    }
  }

  private void addCall(Answered one) {
    Event.Called called = one.called();
    of(called.ask().key())
        .add(
            new Call(
                called.process(),
                called.ask(),
                called.nanos(),
                clockBefore(called.nanos()),
                one.returnedNanos(),
                one.result()));
  }

  private OptionalLong clockBefore(long nanos) {
    Map.Entry<Long, Long> shown = clock.lowerEntry(nanos);
    return shown == null ? OptionalLong.empty() : OptionalLong.of(shown.getValue());
  }

  private KeyHistory of(LeaseKey key) {
    return keys.computeIfAbsent(key, KeyHistory::new);
  }

  Collection<KeyHistory> keys() {
    return keys.values();
  }

  Faults faults() {
    return Faults.of(faults);
  }
}
