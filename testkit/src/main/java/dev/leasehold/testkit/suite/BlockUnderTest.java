package dev.leasehold.testkit.suite;

import dev.leasehold.kernel.spi.LeaseStore;

/** A block under test whose commands may be made under leases of the same store. */
public interface BlockUnderTest extends UnderTest {
  /** The leases beside the block's rows, by the same clock. */
  LeaseStore leaseStore();
}
