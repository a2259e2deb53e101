package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** Purges by pages on SQLite. */
class SqlitePurgeTest extends PurgedByRule {
  @Override
  TwoHandles open(long startMillis) {
    return new SqliteStoreUnderTest(startMillis);
  }

  @Override
  Dialect dialect() {
    return Dialect.SQLITE;
  }
}
