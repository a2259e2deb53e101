package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;
import java.util.Optional;

/**
 * A store: its leases, and other data or information beside them. Blocks and operators' tools ask
 * for the part that they need by its type. The parts are closed with the store, and closing its
 * leases closes the store.
 */
public interface Store extends AutoCloseable {
  /** A store with leases and no other part. */
  static Store of(LeaseStore leases) {
    return new LeasesAlone(leases);
  }

  LeaseStore leases();

  /** The part of this type, if this store has one. */
  <P> Optional<P> part(Class<P> type);

  /**
   * The part of this type, for a caller that can do nothing without it.
   *
   * @param name of such parts in the plural, for the message of the refusal
   */
  default <P> P require(Class<P> type, String name) {
    return part(type)
        .orElseThrow(
            () ->
                new IllFormedException(
                    "this kind of store has no " + name + ": a store in a database has them"));
  }

  @Override
  void close();
}
