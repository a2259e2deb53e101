package dev.leasehold.remote;

import dev.leasehold.blocks.objects.ObjectListener;
import dev.leasehold.blocks.objects.spi.ObjectWatchers;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.ObjectChanges;
import java.util.List;

/** Listeners to the objects of a type. */
final class ObjectAudience implements Audience<ObjectListener> {
  private final String type;
  private final ObjectWatchers watchers = new ObjectWatchers();

  ObjectAudience(String type) {
    this.type = type;
  }

  @Override
  public String path() {
    return "/v1/objects?watch=true&type=" + RemoteObjectStore.encoded(type);
  }

  @Override
  public Subscription add(ObjectListener listener) {
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
