package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.testkit.objects.ObjectStoreContract;
import dev.leasehold.testkit.objects.ObjectsUnderTest;

/** The contract of objects with CockroachDB's statements, on PostgreSQL at SERIALIZABLE. */
class CockroachDialectObjectsTest extends ObjectStoreContract {
  @Override
  protected ObjectsUnderTest open(long startMillis) {
    return JdbcObjects.of(
        new PostgresStoreUnderTest(startMillis, Dialect.COCKROACHDB, "serializable"));
  }
}
