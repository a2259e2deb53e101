package dev.leasehold.store.jdbc;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A garbled row on PostgreSQL. */
class PostgresUnreadableTest extends UnreadableRowContract {
  private Schema schema;
  private JdbcStore store;

  @BeforeEach
  void openStore() {
    schema = new Schema();
    store = schema.store().migrate().open();
  }

  @AfterEach
  void closeStore() {
    store.close();
    schema.close();
  }

  @Override
  JdbcStore store() {
    return store;
  }

  @Override
  void execute(String sql) throws SQLException {
    schema.execute(sql);
  }
}
