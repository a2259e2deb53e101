package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;

/** At effect if PostgreSQL's driver sets a savepoint before each statement. */
class PostgresAutosaveAtEffectTest extends AtEffectContract {
  @Override
  TwoHandles open(long startMillis) {
    return new PostgresStoreUnderTest(
        startMillis, Dialect.POSTGRESQL, "serializable", "&autosave=always");
  }
}
