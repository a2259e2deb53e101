package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.suite.UnderTest;

/**
 * A fresh, empty store, and the clock that it decides by. A database whose clock cannot be turned
 * can be given one for the test: a superuser of PostgreSQL can replace {@code clock_timestamp()},
 * SQLite lets a connection define its functions.
 */
public interface StoreUnderTest extends UnderTest {
  LeaseStore store();

  /**
   * A second handle on the same data, as a second process would have it: with connections, caches
   * and locks of its own, and the same clock. The same one each time; it is closed with the rest.
   * Only a store that lives in one process, and can have no second one, gives {@link #store()}.
   */
  LeaseStore another();
}
