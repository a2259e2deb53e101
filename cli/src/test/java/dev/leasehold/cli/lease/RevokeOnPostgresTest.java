package dev.leasehold.cli.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A transaction locks the row of a lease, like one whose process was stopped after its check. */
@Timeout(120)
class RevokeOnPostgresTest {
  @SuppressWarnings("NullAway.Init") // JUnit starts it before all tests
  private static EmbeddedPostgres postgres;

  @TempDir private Path folder;
  private final Shell shell = new Shell();

  @SuppressWarnings("NullAway.Init") // JUnit connects it before each test
  private Connection stopped;

  private long pid;

  @BeforeAll
  static void start() throws IOException {
    postgres =
        EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  private static String url(String user) {
    return postgres.getJdbcUrl(user, "postgres");
  }

  @BeforeEach
  void lockTheRow() throws SQLException {
    shell.environment.put("LEASEHOLD_DATA", folder.toString());
    assertThat(shell.run("migrate", "--store", url("postgres")).code()).isZero();
    assertThat(shell.run("lease", "acquire", "lock/a", "--store", url("postgres")).code()).isZero();
    stopped = DriverManager.getConnection(url("postgres") + "&ApplicationName=stopped");
    stopped.setAutoCommit(false);
    try (Statement statement = stopped.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_backend_pid() FROM leasehold_lease WHERE key = 'lock/a' FOR KEY"
                    + " SHARE")) {
      assertThat(row.next()).isTrue();
      pid = row.getLong(1);
    }
  }

  @AfterEach
  void letGo() throws SQLException {
    stopped.close();
    Result unused =
        shell.run("lease", "revoke", "lock/a", "--why", "w", "--now", "--store", url("postgres"));
  }

  private Result revoke(String user, String... more) {
    String[] words = new String[7 + more.length];
    System.arraycopy(
        new String[] {"lease", "revoke", "lock/a", "--why", "w", "--store", url(user)},
        0,
        words,
        0,
        7);
    System.arraycopy(more, 0, words, 7, more.length);
    return shell.run(words);
  }

  @Test
  void nowEndsWhatHoldsItBackAndSaysSo() {
    Result revoked = revoke("postgres", "--now");
    assertThat(revoked.code()).as(revoked.err()).isZero();
    assertThat(revoked.out()).contains("ended for it: backend " + pid + " (stopped, client ");
    assertThatThrownBy(() -> stopped.createStatement().execute("SELECT 1"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void withoutItNothingIsEnded() throws SQLException {
    Result revoked = revoke("postgres");
    assertThat(revoked.code()).isEqualTo(5);
    assertThat(revoked.err()).contains("its row is locked", "--now ends it");
    stopped.commit();
    assertThat(revoke("postgres", "--now", "--json").out()).doesNotContain("ended");
  }

  @Test
  void aRoleThatMayNotIsToldWhichOneToEnd() throws SQLException {
    try (Connection admin = DriverManager.getConnection(url("postgres"));
        Statement statement = admin.createStatement()) {
      statement.execute("CREATE ROLE modest LOGIN");
      statement.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO modest");
      statement.execute("GRANT pg_read_all_stats TO modest");
    }
    Result revoked = revoke("modest", "--now");
    assertThat(revoked.code()).as(revoked.out()).isEqualTo(6);
    assertThat(revoked.err())
        .contains("nothing was revoked", "SELECT pg_terminate_backend(" + pid + ")");
    stopped.commit();
  }

  @Test
  void aServerEndsItToo() {
    try (JdbcStore store = JdbcStore.at(url("postgres")).open();
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      String address = server.address().toString();
      Result left = shell.run("lease", "revoke", "lock/a", "--why", "w", "--server", address);
      assertThat(left.code()).as(left.out()).isEqualTo(5);
      Result revoked =
          shell.run("lease", "revoke", "lock/a", "--why", "w", "--now", "--server", address);
      assertThat(revoked.code()).as(revoked.err()).isZero();
    }
    assertThatThrownBy(() -> stopped.createStatement().execute("SELECT 1"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void theDoctorLooksForSuchTransactions() {
    Result found = shell.run("doctor", "--store", url("postgres"));
    assertThat(found.out()).containsPattern("(ok|warning) +locks");
  }
}
