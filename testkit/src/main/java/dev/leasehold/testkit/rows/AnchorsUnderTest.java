package dev.leasehold.testkit.rows;

import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import dev.leasehold.testkit.suite.BlockUnderTest;

/**
 * A fresh store of anchors and the leases beside which they live, by the leases' clock.
 *
 * @param others a second handle on the same anchors, as a second process would have it
 */
public record AnchorsUnderTest(StoreUnderTest leases, AnchorStore anchors, AnchorStore others)
    implements BlockUnderTest {
  @Override
  public LeaseStore leaseStore() {
    return leases.store();
  }

  @Override
  public void setClock(long epochMillis) {
    leases.setClock(epochMillis);
  }

  /** Closes the leases, and removes what they kept and the anchors with it. */
  @Override
  public void close() {
    leases.close();
  }
}
