package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.testkit.contract.StoreUnderTest;

/** Housekeeping on SQLite. */
class SqliteHousekeepingTest extends Housekept {
  @Override
  StoreUnderTest open() {
    return new SqliteStoreUnderTest(Doing.START_MILLIS);
  }

  @Override
  int kept() {
    return ((SqliteStoreUnderTest) stores()).count(HISTORY);
  }

  @Override
  Dialect dialect() {
    return Dialect.SQLITE;
  }
}
