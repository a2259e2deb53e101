package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import dev.leasehold.testkit.suite.BlockUnderTest;

/**
 * A fresh, empty store of objects and the leases beside which they live, by the leases' clock.
 *
 * @param others a second handle on the same objects, as a second process would have it
 */
public record ObjectsUnderTest(StoreUnderTest leases, ObjectStore objects, ObjectStore others)
    implements BlockUnderTest {
  @Override
  public LeaseStore leaseStore() {
    return leases.store();
  }

  @Override
  public void setClock(long epochMillis) {
    leases.setClock(epochMillis);
  }

  /** Closes the leases, and removes what they kept and the objects with it. */
  @Override
  public void close() {
    leases.close();
  }
}
