package dev.leasehold.fence.jdbc;

class PostgresSerializableFenceTest extends PostgresFenceTest {
  @Override
  String isolation() {
    return "serializable";
  }
}
