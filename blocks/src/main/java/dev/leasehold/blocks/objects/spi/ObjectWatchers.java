package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.ObjectListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Who wants to be told of changes, for authors of stores. A listener that fails is logged and costs
 * the others nothing.
 */
public final class ObjectWatchers {
  private static final System.Logger LOG = System.getLogger(ObjectWatchers.class.getName());

  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

  /** Not a record: one listener may watch one type twice, and each watch ends by itself. */
  private static final class Watcher {
    final String type;
    final ObjectListener listener;

    Watcher(String type, ObjectListener listener) {
      this.type = type;
      this.listener = listener;
    }
  }

  public Subscription add(String type, ObjectListener listener) {
    Watcher watcher = new Watcher(type, listener);
    watchers.add(watcher);
    return () -> watchers.remove(watcher);
  }

  /** Whether anybody would be told. */
  public boolean isEmpty() {
    return watchers.isEmpty();
  }

  public void tell(List<ObjectChange> changes) {
    for (ObjectChange change : changes) {
      for (Watcher watcher : watchers) {
        if (change.name().type().equals(watcher.type)) {
          safely(watcher, listener -> listener.changed(change));
        }
      }
    }
  }

  public void reset() {
    watchers.forEach(watcher -> safely(watcher, ObjectListener::reset));
  }

  private static void safely(Watcher watcher, Consumer<ObjectListener> call) {
    try {
      call.accept(watcher.listener);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener on objects of type '" + watcher.type + "' failed", e);
    }
  }
}
