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
    return JdbcStore.at(url(""));
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

  /** Keeps a copy of every present row, for {@link #empty}. */
  void keepAsEmpty() throws SQLException {
    execute(
        """
        DO $$
        DECLARE
          kept text;
        BEGIN
          CREATE SCHEMA NAME_empty;
          FOR kept IN SELECT relname FROM pg_class
                       WHERE relnamespace = 'NAME'::regnamespace AND relkind = 'r'
                         AND pg_relation_size(oid) > 0 LOOP
            EXECUTE format('CREATE TABLE NAME_empty.%1$I AS TABLE NAME.%1$I', kept);
          END LOOP;
        END $$\
        """
            .replace("NAME", name));
  }

  /** Tables that a test has made for itself; the store's and the test's clock stay. */
  void dropOtherTables() throws SQLException {
    execute(
        """
        DO $$
        DECLARE
          other regclass;
        BEGIN
          FOR other IN SELECT oid FROM pg_class
                        WHERE relnamespace = 'NAME'::regnamespace AND relkind IN ('r', 'p')
                          AND NOT relispartition AND NOT starts_with(relname, 'leasehold_') LOOP
            EXECUTE format('DROP TABLE %s CASCADE', other);
          END LOOP;
        END $$\
        """
            .replace("NAME", name));
  }

  /** Every table gets back the rows that were kept; triggers do not fire. */
  void empty() throws SQLException {
    execute(
        """
        SET session_replication_role = replica;
        SET lock_timeout = '10s';
        DO $$
        DECLARE
          used text;
        BEGIN
          FOR used IN SELECT relname FROM pg_class
                       WHERE relnamespace = 'NAME'::regnamespace AND relkind = 'r'
                         AND pg_relation_size(oid) > 0 LOOP
            EXECUTE format('TRUNCATE NAME.%I RESTART IDENTITY', used);
          END LOOP;
          FOR used IN SELECT relname FROM pg_class
                       WHERE relnamespace = 'NAME_empty'::regnamespace AND relkind = 'r' LOOP
            EXECUTE format('INSERT INTO NAME.%1$I SELECT * FROM NAME_empty.%1$I', used);
          END LOOP;
        END $$;
        RESET lock_timeout;
        RESET session_replication_role\
        """
            .replace("NAME", name));
  }

  /** The schema without its rows: if it differs, a test has changed the schema itself. */
  String shape() throws SQLException {
    return value(
        """
        SELECT md5(string_agg(concat_ws(' ', a, b, c), ',' ORDER BY a, b, c)) FROM (
          SELECT oid, relname::text, relnatts::text FROM pg_class
           WHERE relnamespace = 'NAME'::regnamespace
          UNION ALL
          SELECT oid, proname, md5(prosrc) FROM pg_proc WHERE pronamespace = 'NAME'::regnamespace
          UNION ALL
          SELECT t.oid, tgname, tgenabled::text FROM pg_trigger t JOIN pg_class r ON r.oid = tgrelid
           WHERE relnamespace = 'NAME'::regnamespace
          UNION ALL
          SELECT oid, conname, contype::text FROM pg_constraint
           WHERE connamespace = 'NAME'::regnamespace
        ) parts (a, b, c)\
        """
            .replace("NAME", name));
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
      execute("DROP SCHEMA IF EXISTS " + name + "_empty CASCADE");
      execute("DROP SCHEMA " + name + " CASCADE");
      admin.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
