package dev.leasehold.store.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A database of its own on the tests' server, in which a built-in function is replaced, because no
 * schema can put another one before it.
 */
final class PretendingDatabase implements AutoCloseable {
  private final String name = "pretending_" + UUID.randomUUID().toString().replace("-", "");

  PretendingDatabase(String function, String replacement) throws SQLException {
    execute(PostgresServer.url(), "CREATE DATABASE " + name);
    String builtIn = "pg_catalog." + function;
    execute(url(), "ALTER FUNCTION " + builtIn + " RENAME TO built_in");
    execute(url(), "CREATE FUNCTION " + builtIn + replacement);
  }

  /** A database whose server reports another value of a setting. */
  static PretendingDatabase setting(String setting, String value) throws SQLException {
    return new PretendingDatabase(
        "current_setting(text)",
        """
         RETURNS text STABLE LANGUAGE sql AS
        $$ SELECT CASE WHEN $1 = '%s' THEN '%s' ELSE pg_catalog.built_in($1) END $$
        """
            .formatted(setting, value));
  }

  String url() {
    return PostgresServer.url().replaceFirst("/[^/?]+([?]|$)", "/" + name + "$1");
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    execute(PostgresServer.url(), "DROP DATABASE " + name + " WITH (FORCE)");
  }
}
