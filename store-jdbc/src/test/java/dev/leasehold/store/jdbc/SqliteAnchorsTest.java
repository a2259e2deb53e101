package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.rows.AnchorStoreContract;
import dev.leasehold.testkit.rows.AnchorsUnderTest;

/** The contract of anchors on SQLite. */
class SqliteAnchorsTest extends AnchorStoreContract {
  @Override
  protected AnchorsUnderTest open(long startMillis) {
    return JdbcAnchors.of(new SqliteStoreUnderTest(startMillis));
  }
}
