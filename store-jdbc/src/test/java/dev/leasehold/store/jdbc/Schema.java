package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A schema of its own on a real server. */
final class Schema implements AutoCloseable {
  private final String name = "leasehold_" + UUID.randomUUID().toString().replace("-", "");
  private final String server;
  private final Connection admin;

  Schema() {
    this(PostgresServer.url());
  }

  Schema(String server) {
    this.server = server;
    try {
      admin = DriverManager.getConnection(Dialect.ofUrl(server).jdbcUrl(server));
      execute("CREATE SCHEMA " + name);
      execute("SET search_path = " + name + ", pg_catalog");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  String name() {
    return name;
  }

  /** With more options of the server, as in {@code -c fsync=on}. */
  String url(String options) {
    String all = "-c search_path=" + name + ",pg_catalog " + options;
    return server
        + (server.contains("?") ? "&" : "?")
        + "ApplicationName="
        + name
        + "&options="
        + all.replace("\\", "%5C").replace(" ", "%20").replace("=", "%3D").replace(",", "%2C");
  }

  JdbcStoreBuilder store() {
    return JdbcLeaseStore.at(url(""));
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = admin.createStatement()) {
      statement.execute(sql);
    }
  }

  String value(String sql) throws SQLException {
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  void killConnections() throws SQLException {
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
            + name
            + "'");
  }

  @Override
  public void close() {
    try {
      execute("DROP SCHEMA " + name + " CASCADE");
      admin.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
