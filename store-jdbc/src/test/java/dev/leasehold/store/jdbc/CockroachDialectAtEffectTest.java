package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** The statements of the CockroachDB dialect, on a PostgreSQL where everything is serializable. */
class CockroachDialectAtEffectTest extends AtEffectContract {
  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.COCKROACHDB, "serializable");
  }
}
