package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Watchers;
import java.util.List;

/** Tells of changes: at once to whoever watches in this process, and to the other processes. */
class Hints implements AutoCloseable {
  private final Watchers watchers = new Watchers();

  Subscription watch(String prefix, ChangeListener listener) {
    return watchers.add(prefix, listener);
  }

  void tell(List<LeaseChange> changes) {
    watchers.tell(changes);
  }

  void reset() {
    watchers.reset();
  }

  @Override
  public void close() {}
}
