package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.testkit.objects.ObjectStoreContract;
import dev.leasehold.testkit.objects.ObjectsUnderTest;

/** The contract of objects on PostgreSQL at its default isolation level. */
class PostgresObjectsTest extends ObjectStoreContract {
  @Override
  protected ObjectsUnderTest open(long startMillis) {
    return JdbcObjects.of(
        new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "read\\ committed"));
  }
}
