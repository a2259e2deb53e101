package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/**
 * The contract with the statements of the CockroachDB dialect, on PostgreSQL where every
 * transaction is serializable, as it is there; or on the cluster that {@code
 * LEASEHOLD_TEST_COCKROACH} points at, if its clock can be set.
 */
class CockroachDialectContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.COCKROACHDB, "serializable");
  }
}
