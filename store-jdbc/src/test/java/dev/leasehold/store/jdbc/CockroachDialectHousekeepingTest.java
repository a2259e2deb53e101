package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** Housekeeping by the statements of the CockroachDB dialect, on PostgreSQL. */
class CockroachDialectHousekeepingTest extends Housekept {
  @Override
  TwoHandles open() {
    return new PostgresStoreUnderTest(
        TestCommands.START_MILLIS, Dialect.COCKROACHDB, "serializable");
  }

  @Override
  int kept() {
    return ((PostgresStoreUnderTest) stores()).count(HISTORY);
  }

  @Override
  Dialect dialect() {
    return Dialect.COCKROACHDB;
  }
}
