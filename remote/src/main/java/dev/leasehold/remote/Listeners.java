package dev.leasehold.remote;

import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.Changes;
import java.util.List;
import java.util.function.BiPredicate;

/** The listeners to one stream of changes, and the path at which a server gives it. */
final class Listeners<C> {
  private final String path;
  private final String topic;
  private final ChangeFeed<C> feed;
  private final Changes<C> events;

  /** {@code path} ends where the topic follows; {@code concerns} is that of the feed. */
  Listeners(String path, String topic, BiPredicate<C, String> concerns, Changes<C> events) {
    this.path = path + Calls.encoded(topic);
    this.topic = topic;
    this.feed = new ChangeFeed<>(concerns);
    this.events = events;
  }

  String path() {
    return path;
  }

  Subscription add(ChangeListener<C> listener) {
    return feed.add(topic, listener);
  }

  /**
   * Tells the listeners of an event. What a later server tells, and is not known here, is left out.
   *
   * @throws dev.leasehold.remote.wire.BadJsonException if the event is malformed
   */
  void tell(String event, byte[] data) {
    events.read(event, data).ifPresent(change -> feed.tell(List.of(change)));
  }

  /** Tells the listeners that something may have been missed. */
  void reset() {
    feed.reset();
  }
}
