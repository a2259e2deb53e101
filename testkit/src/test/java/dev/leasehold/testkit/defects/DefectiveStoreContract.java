package dev.leasehold.testkit.defects;

import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/** The suite on a store with the planted defect. Its name keeps it out of the normal build. */
final class DefectiveStoreContract extends LeaseStoreContract {
  /** JUnit makes the instances, so this is how they learn what to open. One suite at a time. */
  static Defect planted = Defects.NONE;

  @Override
  protected StoreUnderTest open(long startMillis) {
    return planted.open(startMillis);
  }
}
