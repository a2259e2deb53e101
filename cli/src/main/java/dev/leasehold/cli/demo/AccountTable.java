package dev.leasehold.cli.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.LeaseKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The log of an account as rows of a table. */
public class AccountTable implements AutoCloseable {
  private final HikariDataSource database;
  private final String name;
  private final LeaseKey key;

  public AccountTable(String url, String name, LeaseKey key) {
    this.database = new HikariDataSource();
    this.name = name;
    this.key = key;
    database.setJdbcUrl(url.startsWith("jdbc:") ? url : "jdbc:" + url);
    database.setMaximumPoolSize(2);
    database.setMinimumIdle(0);
    if (!isSqlite(url)) {
      // A process that is stopped inside a transaction must not block its successor for ever.
      database.setConnectionInitSql("SET idle_in_transaction_session_timeout = 1000");
    }
  }

  static boolean isSqlite(String url) {
    return url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:");
  }

  public final DataSource database() {
    return database;
  }

  public final String name() {
    return name;
  }

  void create() throws SQLException {
    String sequence =
        isSqlite(database.getJdbcUrl())
            ? "integer PRIMARY KEY AUTOINCREMENT"
            : "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS %s
          (seq %s, lease text, token bigint, holder text, amount bigint, balance bigint)
          """
              .formatted(name, sequence));
    }
  }

  /** Adds the last entry of the log. */
  public void insert(Connection connection, List<Entry> log) throws SQLException {
    Entry entry = log.getLast();
    String sql =
        "INSERT INTO %s (lease, token, holder, amount, balance) VALUES (?, ?, ?, ?, ?)"
            .formatted(name);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, key.text());
      statement.setLong(2, entry.token());
      statement.setString(3, entry.holder());
      statement.setLong(4, entry.amount());
      statement.setLong(5, entry.balance());
      statement.executeUpdate();
    }
  }

  List<Entry> read() throws SQLException {
    String sql =
        "SELECT token, holder, amount, balance FROM %s WHERE lease = ? ORDER BY seq"
            .formatted(name);
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, key.text());
      List<Entry> log = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          log.add(new Entry(rows.getLong(1), rows.getString(2), rows.getLong(3), rows.getLong(4)));
        }
      }
      return log;
    }
  }

  @Override
  public final void close() {
    database.close();
  }
}
