package dev.leasehold.store.jdbc;

/** The same where every transaction is serializable. */
class SerializableGuardedTableTest extends GuardedTableTest {
  @Override
  String isolation() {
    return "serializable";
  }
}
