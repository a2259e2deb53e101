package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table whose rows have tokens or versions needs more than its migration: without it in {@code
 * lock-out-writers}, a write can straddle an advance of the incarnation, and without triggers, rows
 * that are deleted by hand leave no floor, so that their numbers are issued again.
 */
class EveryTableTest {
  /** These have no rows whose numbers a command raises; add a table here, or do what is missing. */
  private static final Set<String> OTHERS =
      Set.of(
          // The store itself, and the floors that an advance and the triggers write.
          "leasehold_schema",
          "leasehold_store",
          "leasehold_floor",
          "leasehold_object_floor",
          // Written in the transactions that change a lease or an object.
          "leasehold_past_grant",
          "leasehold_request",
          "leasehold_object_deed",
          "leasehold_change",
          // Settings of operators, who write them while writers are locked out.
          "leasehold_object_binding",
          "leasehold_guard",
          "leasehold_guard_pass",
          "leasehold_brought",
          "leasehold_api_key",
          // An advance ends the sessions, and without one no anchor is opened or adopted.
          "leasehold_anchor",
          "leasehold_anchor_last",
          // What is told of others, and decides nothing.
          "leasehold_charter",
          "leasehold_seal",
          "leasehold_refusal",
          "leasehold_chain",
          "leasehold_founding",
          "leasehold_housekeeping",
          // Marks of targets: they keep the highest token that they have seen.
          "leasehold_mark",
          "leasehold_mark_coming",
          "leasehold_mark_trail");

  private static final Pattern LOCKED = Pattern.compile("LOCK TABLE ([a-z_, ]+) IN EXCLUSIVE MODE");

  private static Set<String> names(Connection connection, String query) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private static Set<String> numbered(Connection connection, String tables) throws SQLException {
    Set<String> numbered = names(connection, tables);
    numbered.removeAll(OTHERS);
    assertThat(numbered).contains("leasehold_lease", "leasehold_object");
    return numbered;
  }

  @Test
  void on_postgresql_an_advance_locks_them_out_and_triggers_keep_their_floors() throws Exception {
    try (Schema schema = new Schema()) {
      schema.store().migrate().open().close();
      try (Connection connection = DriverManager.getConnection(schema.url(""))) {
        Set<String> numbered =
            numbered(
                connection, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()");
        Matcher locked = LOCKED.matcher(Dialect.POSTGRESQL.sql().get("lock-out-writers"));
        assertThat(locked.find()).isTrue();
        assertThat(locked.group(1).split(", ")).containsExactlyInAnyOrderElementsOf(numbered);
        assertThat(triggered(connection, 8)).as("on deletion").containsAll(numbered);
        assertThat(triggered(connection, 32)).as("when emptied").containsAll(numbered);
      }
    }
  }

  /** Tables with a trigger on this event, as a bit of {@code pg_trigger.tgtype}. */
  private static Set<String> triggered(Connection connection, int event) throws SQLException {
    return names(
        connection,
        "SELECT r.relname FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid"
            + " WHERE NOT t.tgisinternal AND t.tgtype & "
            + event
            + " > 0");
  }

  @Test
  void on_sqlite_triggers_keep_their_floors(@TempDir Path folder) throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("leases.db");
    JdbcStore.at(url).migrate().open().close();
    try (Connection connection = DriverManager.getConnection(url)) {
      Set<String> numbered =
          numbered(
              connection,
              "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'leasehold%'");
      assertThat(
              names(
                  connection,
                  "SELECT tbl_name FROM sqlite_master"
                      + " WHERE type = 'trigger' AND sql LIKE '%AFTER DELETE%'"))
          .containsAll(numbered);
    }
  }
}
