package dev.leasehold.testkit.history;

/** Where events are written down. Many threads use it at once. */
@FunctionalInterface
public interface EventSink {
  void add(Event event);
}
