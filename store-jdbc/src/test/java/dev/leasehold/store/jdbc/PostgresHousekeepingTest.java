package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** Housekeeping on PostgreSQL. */
class PostgresHousekeepingTest extends Housekept {
  @Override
  TwoHandles open() {
    return new PostgresStoreUnderTest(
        TestCommands.START_MILLIS, Dialect.POSTGRESQL, "serializable");
  }

  @Override
  int kept() {
    return ((PostgresStoreUnderTest) stores()).count(HISTORY);
  }

  @Override
  Dialect dialect() {
    return Dialect.POSTGRESQL;
  }
}
