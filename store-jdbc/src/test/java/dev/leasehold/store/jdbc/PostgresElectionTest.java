package dev.leasehold.store.jdbc;

import org.junit.jupiter.api.AfterEach;

/** Leaders on a server. */
class PostgresElectionTest extends ElectionContract {
  private final Schema schema = new Schema();

  @Override
  JdbcStore openStore() {
    return schema.store().migrate().open();
  }

  @AfterEach
  void dropSchema() {
    schema.close();
  }
}
