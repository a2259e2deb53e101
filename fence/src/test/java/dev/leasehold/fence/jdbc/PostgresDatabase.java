package dev.leasehold.fence.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A schema of its own on a PostgreSQL that a test class has to itself, unless one is given. */
final class PostgresDatabase implements TargetDatabase {
  private static final Optional<String> GIVEN =
      Optional.ofNullable(System.getenv("LEASEHOLD_TEST_POSTGRES"));

  private final String schema = "fence_" + UUID.randomUUID().toString().replace("-", "");
  private final String isolation;
  private final String url;

  PostgresDatabase(String isolation) throws SQLException {
    this.isolation = isolation;
    this.url = GIVEN.orElseGet(OWN::get);
    asAdmin("CREATE SCHEMA " + schema);
    create();
  }

  /**
   * Of each thread that runs test classes, which does one at a time: started when it is first asked
   * for, and stopped with the process; every commit is on disk.
   */
  private static final ThreadLocal<String> OWN = ThreadLocal.withInitial(PostgresDatabase::start);

  private static String start() {
    try {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.builder()
              .setPGStartupWait(Duration.ofMinutes(2))
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .start();
      return postgres.getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL could not be started", e);
    }
  }

  private void asAdmin(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public DataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setCurrentSchema(schema);
    source.setApplicationName(schema);
    source.setOptions("-c default_transaction_isolation=" + isolation);
    return source;
  }

  /** How many of this database's connections wait for a lock. */
  long waiting() throws SQLException {
    return count(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND application_name = '"
            + schema
            + "'");
  }

  @Override
  public void close() throws SQLException {
    // Connections left over from a failed test would keep the tables locked.
    asAdmin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
            + schema
            + "'");
    asAdmin("DROP SCHEMA " + schema + " CASCADE");
  }
}
