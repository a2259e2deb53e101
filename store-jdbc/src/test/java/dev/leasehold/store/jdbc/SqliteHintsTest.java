package dev.leasehold.store.jdbc;

/** Changes in a table of the file. */
class SqliteHintsTest extends HeardElsewhere {
  @Override
  TwoHandles open() {
    return new SqliteStoreUnderTest(Doing.START_MILLIS);
  }
}
