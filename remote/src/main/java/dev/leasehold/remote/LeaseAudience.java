package dev.leasehold.remote;

import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.Changes;
import java.util.List;

/** Listeners to the leases under a prefix. */
final class LeaseAudience implements Audience<ChangeListener<LeaseChange>> {
  private final String prefix;
  private final ChangeFeed<LeaseChange> watchers = new ChangeFeed<>(LeaseChange::isUnder);

  LeaseAudience(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public String path() {
    return "/v1/leases/watch?prefix=" + RemoteObjectStore.encoded(prefix);
  }

  @Override
  public Subscription add(ChangeListener<LeaseChange> listener) {
    return watchers.add(prefix, listener);
  }

  @Override
  public void tell(String event, byte[] data) {
    Changes.read(event, data).ifPresent(change -> watchers.tell(List.of(change)));
  }

  @Override
  public void reset() {
    watchers.reset();
  }
}
