package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/** The contract on SQLite. */
class SqliteContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    return new SqliteStoreUnderTest(startMillis);
  }
}
