package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** Purges by pages on PostgreSQL by the statements of CockroachDB's dialect. */
class CockroachDialectPurgeTest extends PurgedByRule {
  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.COCKROACHDB, "serializable");
  }

  @Override
  Dialect dialect() {
    return Dialect.COCKROACHDB;
  }
}
