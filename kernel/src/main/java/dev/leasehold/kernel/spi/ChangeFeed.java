package dev.leasehold.kernel.spi;

import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * The listeners of one kind of change, each with the topic that it watches; for authors of stores.
 * Each listener gets the changes in order, on the caller's thread. A listener that fails is logged;
 * the others are told all the same.
 *
 * <p>Safe for any number of threads; no lock is held while listeners are told.
 */
public final class ChangeFeed<C> {
  private static final System.Logger LOG = System.getLogger(ChangeFeed.class.getName());

  private final BiPredicate<C, String> concerns;
  private final List<Watch<C>> watches = new CopyOnWriteArrayList<>();

  /**
   * Not a record, since each watch is compared by identity: a listener may watch one topic twice
   * and close each watch on its own.
   */
  private static final class Watch<C> {
    final String topic;
    final ChangeListener<C> listener;

    Watch(String topic, ChangeListener<C> listener) {
      this.topic = topic;
      this.listener = listener;
    }
  }

  /**
   * A feed without listeners.
   *
   * @param concerns whether a change belongs to a topic, such as {@link LeaseChange#isUnder}
   */
  public ChangeFeed(BiPredicate<C, String> concerns) {
    this.concerns = concerns;
  }

  public Subscription add(String topic, ChangeListener<C> listener) {
    Watch<C> watch = new Watch<>(topic, listener);
    watches.add(watch);
    return () -> watches.remove(watch);
  }

  /** Whether there is no listener. */
  public boolean isEmpty() {
    return watches.isEmpty();
  }

  public void tell(List<C> changes) {
    for (C change : changes) {
      for (Watch<C> watch : watches) {
        if (concerns.test(change, watch.topic)) {
          safely(watch, listener -> listener.changed(change));
        }
      }
    }
  }

  /** Tells every listener that changes may have been missed. */
  public void reset() {
    watches.forEach(watch -> safely(watch, ChangeListener::reset));
  }

  private static <C> void safely(Watch<C> watch, Consumer<ChangeListener<C>> call) {
    try {
      call.accept(watch.listener);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener on changes of '" + watch.topic + "' failed", e);
    }
  }
}
