package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** Housekeeping on SQLite. */
class SqliteHousekeepingTest extends Housekept {
  @Override
  TwoHandles open() {
    return new SqliteStoreUnderTest(TestCommands.START_MILLIS);
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
