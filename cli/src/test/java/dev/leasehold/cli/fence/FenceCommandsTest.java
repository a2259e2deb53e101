package dev.leasehold.cli.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold fence} on a SQLite file. */
class FenceCommandsTest {
  private static final String INSERT = "INSERT INTO orders VALUES ('shard/a')";

  @TempDir Path folder;
  private final Shell shell = new Shell();

  @BeforeEach
  void makeTable() throws SQLException {
    shell.environment.put("LEASEHOLD_STORE", "sqlite:" + folder.resolve("leases.db"));
    execute("CREATE TABLE orders (lease TEXT)");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("leases.db"));
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  @Test
  void a_table_is_guarded_listed_and_released() throws SQLException {
    Result installed =
        shell.run("fence", "install", "--table", "orders", "--key-column", "lease", "--json");
    assertThat(installed.out())
        .as(installed.err())
        .isEqualToIgnoringNewLines(
            "{\"outcome\":\"installed\",\"guard\":{\"table\":\"orders\",\"keyColumn\":\"lease\"}}");
    assertThatThrownBy(() -> execute(INSERT)).hasMessageContaining("LH001");
    assertThat(shell.run("fence", "list", "--json").out())
        .isEqualToIgnoringNewLines("{\"table\":\"orders\",\"keyColumn\":\"lease\"}");
    assertThat(shell.run("fence", "list").out()).contains("orders", "in column lease");

    Result removed = shell.run("fence", "remove", "--table", "orders", "--json");
    assertThat(removed.out())
        .isEqualToIgnoringNewLines("{\"outcome\":\"removed\",\"table\":\"orders\"}");
    execute(INSERT);
    assertThat(shell.run("fence", "list", "--json").out()).isEmpty();
  }

  @Test
  void a_mark_that_stands_too_high_is_forgotten_on_record() throws SQLException {
    String marks = "sqlite:" + folder.resolve("target.db");
    String[] reset = {
      "fence",
      "reset",
      "--target",
      "ledger",
      "--key",
      "leader/x",
      "--why",
      "ticket 7",
      "--by",
      "olga",
      "--target-store",
      marks,
      "--json"
    };
    Result none = shell.run(reset);
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("no target keeps marks in this database");

    Claim invented = Claim.of(new LeaseKey("leader/x"), Token.HIGHEST);
    JdbcFence fence =
        JdbcStore.at(marks)
            .database(
                database -> {
                  try (Connection connection = database.getConnection()) {
                    JdbcFence.createTables(connection);
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                  JdbcFence before = JdbcFence.before("ledger", database);
                  assertThat(before.seal(invented)).isEqualTo(Admission.ADMITTED);
                  return before;
                });
    assertThat(fence.target()).isEqualTo("ledger");
    String outcome = "{\"outcome\":\"reset\",\"target\":\"ledger\",\"key\":\"leader/x\"";
    assertThat(shell.run(reset).out())
        .isEqualToIgnoringNewLines(outcome + ",\"mark\":" + Token.HIGHEST + "}");
    assertThat(shell.run(reset).out()).isEqualToIgnoringNewLines(outcome + "}");
  }

  @Test
  void what_stands_open_is_listed() throws SQLException {
    Result installed = shell.run("fence", "install", "--table", "orders", "--key", "leader/x");
    assertThat(installed.out()).contains("guarded table orders", "leader/x");
    execute("DROP TRIGGER leasehold_guard_insert_orders");
    assertThat(shell.run("fence", "list").out()).contains("hole: orders: a trigger");
    assertThat(shell.run("fence", "list", "--json").out())
        .contains("{\"table\":\"orders\",\"key\":\"leader/x\"}", "\"hole\":\"a trigger");
  }

  @Test
  void what_cannot_be_done_is_said() {
    Result noTable = shell.run("fence", "install", "--table", "nowhere", "--key", "leader/x");
    assertThat(noTable.code()).isEqualTo(2);
    assertThat(noTable.err()).isEqualToIgnoringNewLines("leasehold: there is no table nowhere");
    Result noGuard = shell.run("fence", "remove", "--table", "orders");
    assertThat(noGuard.code()).isEqualTo(2);
    assertThat(noGuard.err()).contains("no guard stands before a table orders");
    Result noRole =
        shell.run(
            "fence",
            "install",
            "--table",
            "orders",
            "--key",
            "leader/x",
            "--maintenance-role",
            "dba");
    assertThat(noRole.code()).isEqualTo(2);
    assertThat(noRole.err()).contains("SQLite has no roles");
  }
}
