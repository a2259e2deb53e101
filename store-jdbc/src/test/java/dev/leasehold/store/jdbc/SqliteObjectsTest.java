package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.objects.ObjectStoreContract;
import dev.leasehold.testkit.objects.ObjectsUnderTest;

/** The contract of objects on SQLite. */
class SqliteObjectsTest extends ObjectStoreContract {
  @Override
  protected ObjectsUnderTest open(long startMillis) {
    return JdbcObjects.of(new SqliteStoreUnderTest(startMillis));
  }
}
