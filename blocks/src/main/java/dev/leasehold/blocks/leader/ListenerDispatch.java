package dev.leasehold.blocks.leader;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Calls listeners one at a time and in order, on callback threads, where they may block. Its
 * methods are called in turns, and it reports back in a turn.
 */
final class ListenerDispatch {
  private final List<ElectionListener> listeners;
  private final Executor callbacks;
  private final Executor turns;
  private final Consumer<Throwable> failures;
  private final Queue<Notification> waiting = new ArrayDeque<>();
  private boolean telling;

  /** A call to all listeners, and the event that follows it. */
  private record Notification(Consumer<ElectionListener> what, Runnable then) {}

  ListenerDispatch(
      List<ElectionListener> listeners,
      Executor callbacks,
      Executor turns,
      Consumer<Throwable> failures) {
    this.listeners = List.copyOf(listeners);
    this.callbacks = callbacks;
    this.turns = turns;
    this.failures = failures;
  }

  void tell(Consumer<ElectionListener> what) {
    tell(what, () -> {});
  }

  /** Runs {@code then} in a turn, after all listeners have returned. */
  void tell(Consumer<ElectionListener> what, Runnable then) {
    waiting.add(new Notification(what, then));
    next();
  }

  private void next() {
    if (!telling && !waiting.isEmpty()) {
      telling = true;
      Notification first = waiting.remove();
      callbacks.execute(() -> tellAll(first));
    }
  }

  private void tellAll(Notification first) {
    try {
      listeners.forEach(listener -> tellOne(listener, first.what()));
    } finally {
      turns.execute(
          () -> {
            telling = false;
            first.then().run();
            next();
          });
    }
  }

  private void tellOne(ElectionListener listener, Consumer<ElectionListener> what) {
    try {
      what.accept(listener);
    } catch (Throwable e) {
      turns.execute(() -> failures.accept(e));
    }
  }
}
