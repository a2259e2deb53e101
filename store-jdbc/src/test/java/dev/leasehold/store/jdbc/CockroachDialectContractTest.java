package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/**
 * The contract with the statements of the CockroachDB dialect, on PostgreSQL where every
 * transaction is serializable, as it is there. A cluster can be had by {@code
 * LEASEHOLD_TEST_COCKROACH}.
 */
class CockroachDialectContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.COCKROACHDB, "serializable");
  }
}
