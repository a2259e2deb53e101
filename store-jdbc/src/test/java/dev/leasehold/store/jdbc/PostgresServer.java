package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.files.QuickFolders;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * The PostgreSQL of a test class: the one that {@code LEASEHOLD_TEST_POSTGRES} names, which all
 * share, else a server of its own, with every commit on disk. Also the CockroachDB that {@code
 * LEASEHOLD_TEST_COCKROACH} may name.
 */
final class PostgresServer {
  /** For copies of these classes: they use the server of their process. */
  static final String PROPERTY = "leasehold.test.postgres";

  private static final Optional<String> GIVEN =
      Optional.ofNullable(System.getProperty(PROPERTY))
          .or(() -> Optional.ofNullable(System.getenv("LEASEHOLD_TEST_POSTGRES")));

  private static final Optional<String> CLUSTER =
      Optional.ofNullable(System.getenv("LEASEHOLD_TEST_COCKROACH"));

  private PostgresServer() {}

  /**
   * One server for each thread that runs test classes, one class at a time: so no class sees what
   * another does to the server, and no serializable transaction fails because of another class. It
   * starts on first use, and stops with the process.
   */
  private static final ThreadLocal<String> OWN = ThreadLocal.withInitial(PostgresServer::start);

  private static String start() {
    try {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.builder()
              .setPGStartupWait(Duration.ofMinutes(2))
              .setDataDirectory(QuickFolders.make("leasehold-postgres-"))
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_connections", "200")
              .setServerConfig("max_prepared_transactions", "10")
              .start();
      return postgres.getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL could not be started", e);
    }
  }

  /** Whether the server outlives this process. */
  static boolean isGiven() {
    return GIVEN.isPresent();
  }

  /** The same for everything that a test does on its own thread. */
  static String url() {
    return GIVEN.orElseGet(OWN::get);
  }

  /**
   * No schema can put another clock before the server's own, so that function is replaced: it shows
   * the sequence that the session's setting test.clock names, and the true time without that
   * setting.
   */
  static void letClockBeSet() throws SQLException {
    try (Connection admin = DriverManager.getConnection(url());
        Statement statement = admin.createStatement()) {
      admin.setAutoCommit(false);
      statement.execute("SELECT pg_advisory_xact_lock(hashtext('test.clock'))");
      try (ResultSet known = statement.executeQuery("SELECT to_regproc('pg_catalog.true_clock')")) {
        if (known.next() && known.getString(1) != null) {
          return;
        }
      }
      statement.execute(
          """
          ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO true_clock;
          CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz
            VOLATILE LANGUAGE plpgsql SET search_path = pg_catalog AS $$
            DECLARE
              clock text := coalesce(current_setting('test.clock', true), '');
            BEGIN
              IF clock = '' THEN
                RETURN pg_catalog.true_clock();
              END IF;
              RETURN to_timestamp(0)
                + pg_sequence_last_value(clock::regclass) * interval '1 millisecond';
            END $$;
          """);
      admin.commit();
    }
  }

  static Optional<String> cluster() {
    return CLUSTER;
  }
}
