package dev.leasehold.store.jdbc;

/** At effect on PostgreSQL where every transaction is serializable. */
class PostgresSerializableAtEffectTest extends PostgresAtEffectTest {
  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "serializable");
  }
}
