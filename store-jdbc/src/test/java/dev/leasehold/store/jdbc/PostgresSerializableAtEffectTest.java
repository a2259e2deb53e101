package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** At effect on PostgreSQL where every transaction is serializable. */
class PostgresSerializableAtEffectTest extends PostgresAtEffectTest {
  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "serializable");
  }
}
