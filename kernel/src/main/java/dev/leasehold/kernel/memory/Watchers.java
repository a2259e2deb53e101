package dev.leasehold.kernel.memory;

import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Who wants to be told of changes. A listener that fails is logged and costs the others nothing.
 */
final class Watchers {
  private static final System.Logger LOG = System.getLogger(Watchers.class.getName());

  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

  private record Watcher(String prefix, ChangeListener listener) {}

  Subscription add(String prefix, ChangeListener listener) {
    // Compared by identity below: one listener may watch one prefix twice.
    Watcher watcher = new Watcher(prefix, listener);
    watchers.add(watcher);
    return () -> watchers.removeIf(w -> w == watcher);
  }

  void tell(List<LeaseChange> changes) {
    for (LeaseChange change : changes) {
      for (Watcher watcher : watchers) {
        if (change.key().text().startsWith(watcher.prefix())) {
          safely(watcher, listener -> listener.changed(change));
        }
      }
    }
  }

  void reset() {
    watchers.forEach(watcher -> safely(watcher, ChangeListener::reset));
  }

  private static void safely(Watcher watcher, Consumer<ChangeListener> call) {
    try {
      call.accept(watcher.listener());
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener on changes of '" + watcher.prefix() + "' failed", e);
    }
  }
}
