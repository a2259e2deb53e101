package dev.leasehold.benchmarks.throughput;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The one PostgreSQL of a run. Every commit is on its disk before it is answered. */
final class PostgresServer implements AutoCloseable {
  static final String DURABILITY = "fsync of the WAL at each commit";

  private static final List<String> ON = List.of("fsync", "synchronous_commit", "full_page_writes");

  private final EmbeddedPostgres server;

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  static PostgresServer start() throws IOException, SQLException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("max_connections", "300")
            .setServerConfig("shared_buffers", "256MB")
            // Avoids a checkpoint in the middle of a round.
            .setServerConfig("max_wal_size", "8GB")
            .setServerConfig("checkpoint_timeout", "1h")
            .setServerConfig("shared_preload_libraries", "pg_stat_statements");
    for (String setting : ON) {
      builder.setServerConfig(setting, "on");
    }
    PostgresServer started = new PostgresServer(builder.start());
    for (String setting : ON) {
      String value = started.ask("SHOW " + setting);
      if (!value.equals("on")) {
        throw new IllegalStateException(setting + " is " + value + ": nothing here would be true");
      }
    }
    started.run("CREATE EXTENSION pg_stat_statements");
    return started;
  }

  String url() {
    return url("postgres");
  }

  String url(String database) {
    return server.getJdbcUrl("postgres", database);
  }

  /** Creates another, empty database on this server, and returns its URL. */
  String another(String database) throws SQLException {
    run("DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(database));
    run("CREATE DATABASE " + database);
    return url(database);
  }

  /** The same, where every transaction is serializable. */
  String serializableUrl() {
    return url() + "&options=-c%20default_transaction_isolation=serializable";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  void run(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String ask(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /**
   * How many multixacts the server has created so far, which record locks of one row by several
   * transactions.
   */
  long multixacts() throws SQLException {
    return Long.parseLong(ask("SELECT mxid_age('1')"));
  }

  /** How many transactions all multixacts name together. Needs a checkpoint. */
  long multixactMembers() throws SQLException {
    run("CHECKPOINT");
    return Long.parseLong(ask("SELECT next_multi_offset FROM pg_control_checkpoint()"));
  }

  /** How much processor time the connections that are open have taken. */
  Duration processorTime() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pid FROM pg_stat_activity")) {
      Duration total = Duration.ZERO;
      while (rows.next()) {
        total =
            ProcessHandle.of(rows.getLong(1))
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .plus(total);
      }
      return total;
    }
  }

  /** How many statements it has run so far, beginnings and ends of transactions included. */
  long statements() throws SQLException {
    return Long.parseLong(
        ask(
            """
            SELECT coalesce(sum(calls), 0)::bigint
              FROM pg_stat_statements
             WHERE query NOT ILIKE '%pg_stat_statements%' AND query NOT ILIKE 'SET %'
            """));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
