package dev.leasehold.testkit.defects;

import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/** The suite on a store with the planted defect. Its name keeps it out of the normal build. */
final class DefectiveStoreContract extends LeaseStoreContract {
  /** JUnit makes the instances, on the thread that runs the suite: so they learn what to open. */
  static final ThreadLocal<Defect> PLANTED = ThreadLocal.withInitial(() -> Defects.NONE);

  @Override
  protected StoreUnderTest open(long startMillis) {
    return PLANTED.get().open(startMillis);
  }
}
