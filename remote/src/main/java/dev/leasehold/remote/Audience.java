package dev.leasehold.remote;

import dev.leasehold.kernel.spi.LeaseStore.Subscription;

/** Who listens to one stream of events, and where it is. */
interface Audience<L> {
  String path();

  Subscription add(L listener);

  /**
   * Tells everybody of an event.
   *
   * @throws dev.leasehold.remote.wire.BadJsonException if it makes no sense
   */
  void tell(String event, byte[] data);

  /** Tells everybody that something may have been missed. */
  void reset();
}
