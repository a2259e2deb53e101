package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** Purges by pages on PostgreSQL. */
class PostgresPurgeTest extends PurgedByRule {
  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "read\\ committed");
  }

  @Override
  Dialect dialect() {
    return Dialect.POSTGRESQL;
  }
}
