package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.LeaseStore;

/**
 * A fresh, empty store, and the clock that it decides by. A database whose clock cannot be turned
 * can be given one for the test: PostgreSQL resolves {@code clock_timestamp()} along the search
 * path, SQLite lets a connection define its functions.
 */
public interface StoreUnderTest extends AutoCloseable {
  LeaseStore store();

  /**
   * Sets what the store's clock shows, forward or back; it stands still until set again. Commands
   * may be on their way meanwhile.
   */
  void setClock(long epochMillis);

  /** Closes the store and removes what it kept. */
  @Override
  void close();
}
