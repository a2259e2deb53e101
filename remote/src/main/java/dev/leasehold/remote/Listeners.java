package dev.leasehold.remote;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.Changes;
import dev.leasehold.remote.wire.ObjectChanges;
import java.util.List;
import java.util.Optional;

/** The listeners to one stream of changes, and the path at which a server gives it. */
final class Listeners<C> {
  private final String path;
  private final String topic;
  private final ChangeFeed<C> feed;
  private final Reading<C> reading;

  /** Reads an event; empty if a later server tells of something that is not known here. */
  private interface Reading<C> {
    Optional<C> read(String event, byte[] data);
  }

  private Listeners(String path, String topic, ChangeFeed<C> feed, Reading<C> reading) {
    this.path = path + RemoteObjectStore.encoded(topic);
    this.topic = topic;
    this.feed = feed;
    this.reading = reading;
  }

  static Listeners<LeaseChange> ofLeases(String prefix) {
    return new Listeners<>(
        "/v1/leases/watch?prefix=", prefix, new ChangeFeed<>(LeaseChange::isUnder), Changes::read);
  }

  static Listeners<ObjectChange> ofObjects(String type) {
    return new Listeners<>(
        "/v1/objects?watch=true&type=",
        type,
        new ChangeFeed<>(ObjectChange::isOf),
        ObjectChanges::read);
  }

  String path() {
    return path;
  }

  Subscription add(ChangeListener<C> listener) {
    return feed.add(topic, listener);
  }

  /**
   * Tells the listeners of an event.
   *
   * @throws dev.leasehold.remote.wire.BadJsonException if the event is malformed
   */
  void tell(String event, byte[] data) {
    reading.read(event, data).ifPresent(change -> feed.tell(List.of(change)));
  }

  /** Tells the listeners that something may have been missed. */
  void reset() {
    feed.reset();
  }
}
