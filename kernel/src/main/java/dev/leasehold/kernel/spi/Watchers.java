package dev.leasehold.kernel.spi;

import dev.leasehold.kernel.spi.LeaseStore.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Who wants to be told of changes, for authors of stores. A listener that fails is logged and costs
 * the others nothing.
 */
public final class Watchers {
  private static final System.Logger LOG = System.getLogger(Watchers.class.getName());

  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

  /** Not a record: one listener may watch one prefix twice, and each watch ends by itself. */
  private static final class Watcher {
    final String prefix;
    final ChangeListener listener;

    Watcher(String prefix, ChangeListener listener) {
      this.prefix = prefix;
      this.listener = listener;
    }
  }

  public Subscription add(String prefix, ChangeListener listener) {
    Watcher watcher = new Watcher(prefix, listener);
    watchers.add(watcher);
    return () -> watchers.remove(watcher);
  }

  /** Whether anybody would be told. */
  public boolean isEmpty() {
    return watchers.isEmpty();
  }

  public void tell(List<LeaseChange> changes) {
    for (LeaseChange change : changes) {
      for (Watcher watcher : watchers) {
        if (change.key().text().startsWith(watcher.prefix)) {
          safely(watcher, listener -> listener.changed(change));
        }
      }
    }
  }

  public void reset() {
    watchers.forEach(watcher -> safely(watcher, ChangeListener::reset));
  }

  private static void safely(Watcher watcher, Consumer<ChangeListener> call) {
    try {
      call.accept(watcher.listener);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener on changes of '" + watcher.prefix + "' failed", e);
    }
  }
}
