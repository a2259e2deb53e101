package dev.leasehold.testkit.contract;

import dev.leasehold.testkit.suite.Comparison;
import dev.leasehold.testkit.suite.DifferentialContract;

/** Every answer and every record of the store is the model's. */
abstract class LeaseDifferentialContract extends DifferentialContract<StoreUnderTest> {
  @Override
  protected Comparison<?> comparison() {
    return new LeaseDifferential(this::open);
  }
}
