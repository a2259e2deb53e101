package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL, and one fault at a time. */
@Timeout(120)
class DoctorOnPostgresTest {
  @SuppressWarnings("NullAway.Init") // JUnit starts it before all tests
  private static EmbeddedPostgres postgres;

  @TempDir private Path folder;
  private final String schema = "doctor_" + UUID.randomUUID().toString().replace("-", "");
  private final Shell shell = new Shell();

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

  @BeforeEach
  void migrate() throws SQLException {
    execute("CREATE SCHEMA " + schema);
    shell.environment.put("LEASEHOLD_DATA", folder.toString());
    assertThat(shell.run("migrate", "--store", url()).code()).isZero();
  }

  private String url() {
    return postgres.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
  }

  private static String set(String setting) {
    return "&options=-c%20" + setting.replace("=", "%3D");
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Result doctor(String url, String... more) {
    String[] words = new String[3 + more.length];
    System.arraycopy(new String[] {"doctor", "--store", url}, 0, words, 0, 3);
    System.arraycopy(more, 0, words, 3, more.length);
    return shell.run(words);
  }

  /** Exit code 7, and no other problem than this. */
  private static void assertOnly(Result found, String... checks) {
    assertThat(found.out().lines().filter(line -> line.startsWith("problem")))
        .as(found.out() + found.err())
        .hasSize(checks.length)
        .allSatisfy(line -> assertThat(line.split(" +", 3)[1]).isIn((Object[]) checks));
    assertThat(found.code()).isEqualTo(7);
  }

  @Test
  void aDatabaseAsItShouldBeIsSound() throws IOException {
    // A command that writes creates a witness; one that only looks does not.
    Path payload = Files.writeString(folder.resolve("payload"), "{}");
    Result put =
        shell.run("object", "put", "note", "a", "--file", payload.toString(), "--store", url());
    assertThat(put.code()).as(put.err()).isZero();
    Result found = doctor(url());
    assertThat(found.code()).as(found.out() + found.err()).isZero();
    assertThat(found.out()).contains("PostgreSQL", "ok       delivery").hasLineCount(13);
    assertThat(found.out().lines()).allMatch(line -> line.startsWith("ok "));
    Result json = doctor(url(), "--json");
    assertThat(json.member("outcome")).isEqualTo("sound");
    assertThat(json.out()).hasLineCount(1).doesNotContain("remedy");
  }

  @Test
  void commitsThatDoNotWaitForTheDisk() {
    Result found = doctor(url() + set("synchronous_commit=off"));
    assertOnly(found, "durability", "opening");
    assertThat(found.out()).contains("synchronous_commit off", "set fsync = on");
    assertThat(doctor(url() + set("synchronous_commit=off"), "--json").member("outcome"))
        .isEqualTo("problems");
  }

  @Test
  void aSessionThatMayOnlyRead() {
    assertOnly(doctor(url() + set("default_transaction_read_only=on")), "primary", "opening");
  }

  @Test
  void notificationsThatNoConnectionReceives() {
    try (DeafProxy proxy = new DeafProxy(url() + "&sslmode=disable&gssEncMode=disable")) {
      Result found = doctor(proxy.url());
      assertOnly(found, "delivery");
      assertThat(found.out()).contains("did not come back on another connection");
    }
  }

  @Test
  void aStepOfTheSchemaThatIsMissing() throws SQLException {
    execute("DELETE FROM " + schema + ".leasehold_schema WHERE version > 4");
    Result left = doctor(url(), "--schema", "check");
    assertOnly(left, "schema");
    assertThat(left.out()).contains("0005-api-keys", "leasehold migrate");
    for (int i = 0; i < 2; i++) {
      Result byItself = doctor(url());
      assertThat(byItself.code()).as("it is left as it is").isZero();
      assertThat(byItself.out()).contains("warning  schema", "warning  opening");
    }
  }

  @Test
  void aClockThatHasGoneBack() throws SQLException {
    assertThat(shell.run("lease", "acquire", "lock/a", "--store", url()).code()).isZero();
    execute("UPDATE " + schema + ".leasehold_lease SET written_at = written_at + 3600000");
    Result found = doctor(url());
    assertOnly(found, "clock");
    assertThat(found.out()).contains("has gone back: it is 3");
  }

  private void await(String version) {
    while (!shell.run("lease", "list", "--json", "--store", url()).out().contains(version)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void serversOfSeveralVersions() {
    try (JdbcStore store = JdbcStore.at(url()).open();
        LeaseholdServer next = LeaseholdServer.on(store).announced("0.2.0").start()) {
      await("0.2.0");
      Result neighbours = doctor(url());
      assertThat(neighbours.code()).as(neighbours.out()).isZero();
      assertThat(neighbours.out()).contains("warning  versions", next.address().toString());
      try (LeaseholdServer tooNew = LeaseholdServer.on(store).announced("0.3.0").start()) {
        await("0.3.0");
        assertOnly(doctor(url()), "versions");
        Result through = shell.run("doctor", "--server", tooNew.address().toString());
        assertThat(through.out()).contains("warning  versions", "0.2.0 at", "0.3.0 at");
        assertThat(through.out()).contains("PostgreSQL");
        assertThat(through.code()).isZero();
      }
      assertThat(doctor(url()).out()).as("it is struck off when it stops").doesNotContain("0.3.0");
    }
  }

  @Test
  void aDatabaseThatIsAwayIsUnreachable() {
    String nowhere = "jdbc:postgresql://localhost:1/postgres?user=postgres";
    Result found = doctor(nowhere);
    assertThat(found.code()).isEqualTo(5);
    assertThat(found.err()).contains("cannot be reached");
  }
}
