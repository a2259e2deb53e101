package dev.leasehold.store.jdbc;

/** Changes in a table of the file. */
class SqliteHintsTest extends HintsContract {
  @Override
  TwoHandles open() {
    return new SqliteStoreUnderTest(TestCommands.START_MILLIS);
  }
}
