package dev.leasehold.fence.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The database of a target, new for each test: a table to change, and the marks. */
interface TargetDatabase extends AutoCloseable {
  DataSource source();

  @Override
  void close() throws SQLException;

  default void create() throws SQLException {
    execute("CREATE TABLE entry (token bigint NOT NULL, text varchar(50) NOT NULL)");
    try (Connection connection = source().getConnection()) {
      JdbcFence.createTables(connection);
    }
  }

  default void execute(String sql) throws SQLException {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  default long count(String sql) throws SQLException {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }
}
