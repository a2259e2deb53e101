package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;

/** The contract on PostgreSQL at its default isolation level. */
class PostgresContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "read\\ committed");
  }
}
