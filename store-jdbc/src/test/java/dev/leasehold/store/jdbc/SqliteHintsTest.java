package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.contract.StoreUnderTest;

/** Changes in a table of the file. */
class SqliteHintsTest extends HeardElsewhere {
  @Override
  StoreUnderTest open() {
    return new SqliteStoreUnderTest(Doing.START_MILLIS);
  }
}
