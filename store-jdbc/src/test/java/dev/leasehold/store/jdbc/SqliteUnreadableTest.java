package dev.leasehold.store.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A garbled row on SQLite. */
class SqliteUnreadableTest extends UnreadableRowContract {
  @TempDir Path folder;
  private JdbcStore store;

  @BeforeEach
  void openStore() {
    store = JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Override
  JdbcStore store() {
    return store;
  }

  @Override
  void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("leases.db"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
