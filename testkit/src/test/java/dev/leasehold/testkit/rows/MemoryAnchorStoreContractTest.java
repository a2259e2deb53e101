package dev.leasehold.testkit.rows;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.time.ManualClock;

/** The reference store keeps the contract. */
class MemoryAnchorStoreContractTest extends AnchorStoreContract {
  @Override
  protected AnchorsUnderTest open(long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    MemoryStore store = new MemoryStore(clock, Limits.SINGLE_NODE);
    AnchorStore anchors = store.require(AnchorStore.class, "anchors");
    return new AnchorsUnderTest(new ClockedStore(store.leases(), clock), anchors, anchors);
  }
}
