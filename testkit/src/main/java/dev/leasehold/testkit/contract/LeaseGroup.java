package dev.leasehold.testkit.contract;

import dev.leasehold.testkit.suite.ContractGroup;
import org.junit.jupiter.api.BeforeEach;

/** One part of the contract: each test gets a fresh store on a bench. */
abstract class LeaseGroup extends ContractGroup<StoreUnderTest> {
  // Opened before each test, which JUnit promises and the compiler cannot see.
  @SuppressWarnings("NullAway.Init")
  protected ContractFixture fixture;

  @BeforeEach
  @Override
  public void openStore() {
    super.openStore();
    fixture = new ContractFixture(under, START);
  }
}
