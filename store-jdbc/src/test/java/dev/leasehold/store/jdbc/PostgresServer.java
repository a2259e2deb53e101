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
import java.util.Optional;

/**
 * The PostgreSQL that the tests of this process share: one that is pointed at by {@code
 * LEASEHOLD_TEST_POSTGRES}, else one of our own, with every commit on disk. And the CockroachDB
 * that may be pointed at by {@code LEASEHOLD_TEST_COCKROACH}.
 */
final class PostgresServer {
  /** For copies of these classes: they use the server of the process that they are in. */
  static final String PROPERTY = "leasehold.test.postgres";

  private static final Optional<String> GIVEN =
      Optional.ofNullable(System.getProperty(PROPERTY))
          .or(() -> Optional.ofNullable(System.getenv("LEASEHOLD_TEST_POSTGRES")));

  private static final Optional<String> CLUSTER =
      Optional.ofNullable(System.getenv("LEASEHOLD_TEST_COCKROACH"));

  private PostgresServer() {}

  /** Started when it is first asked for, and stopped with the process. */
  private static final class Own {
    static final String URL = start();

    private static String start() {
      try {
        EmbeddedPostgres postgres =
            EmbeddedPostgres.builder()
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
  }

  static String url() {
    return GIVEN.orElseGet(() -> Own.URL);
  }

  /**
   * No schema can put another clock before the server's own, so that one is replaced: it shows the
   * sequence that the session's setting test.clock names, and the true time where there is none.
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
