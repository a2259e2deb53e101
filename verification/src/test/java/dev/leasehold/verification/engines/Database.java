package dev.leasehold.verification.engines;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Runs statements of a test, each on a new connection, so that a broken one does no harm. */
public record Database(String url) {
  /** Reads one row. */
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  public boolean isSqlite() {
    return url.contains("sqlite:");
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url.startsWith("jdbc:") ? url : "jdbc:" + url);
  }

  /** Runs a script: on PostgreSQL in one transaction. */
  public void execute(String script) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String one : isSqlite() ? script.split("\n\n") : new String[] {script}) {
        statement.execute(one);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the database refused: " + e.getMessage(), e);
    }
  }

  public <T> List<T> query(Row<T> reading, String sql, Object... values) {
    try (Connection connection = connect()) {
      return query(connection, reading, sql, values);
    } catch (SQLException e) {
      throw new IllegalStateException("the database refused: " + e.getMessage(), e);
    }
  }

  static <T> List<T> query(Connection connection, Row<T> reading, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      List<T> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reading.read(rows));
        }
      }
      return found;
    }
  }
}
