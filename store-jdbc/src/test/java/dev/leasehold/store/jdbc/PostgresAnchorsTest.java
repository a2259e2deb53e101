package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.testkit.rows.AnchorStoreContract;
import dev.leasehold.testkit.rows.AnchorsUnderTest;

/** The contract of anchors on PostgreSQL at its default isolation level. */
class PostgresAnchorsTest extends AnchorStoreContract {
  @Override
  protected AnchorsUnderTest open(long startMillis) {
    return JdbcAnchors.of(
        new PostgresStoreUnderTest(startMillis, Dialect.POSTGRESQL, "read\\ committed"));
  }
}
