package dev.leasehold.remote;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.ObjectChanges;
import java.util.List;

/** Listeners to the objects of a type. */
final class ObjectAudience implements Audience<ChangeListener<ObjectChange>> {
  private final String type;
  private final ChangeFeed<ObjectChange> watchers = new ChangeFeed<>(ObjectChange::isOf);

  ObjectAudience(String type) {
    this.type = type;
  }

  @Override
  public String path() {
    return "/v1/objects?watch=true&type=" + RemoteObjectStore.encoded(type);
  }

  @Override
  public Subscription add(ChangeListener<ObjectChange> listener) {
    return watchers.add(type, listener);
  }

  @Override
  public void tell(String event, byte[] data) {
    ObjectChanges.read(event, data).ifPresent(change -> watchers.tell(List.of(change)));
  }

  @Override
  public void reset() {
    watchers.reset();
  }
}
