package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How PostgreSQL runs the array statements, with its cached plans. */
class StatementPlansTest {
  private static final String SCHEMA = "leasehold_plans";
  private static final Pattern PARAMETER = Pattern.compile("\\?");

  @ParameterizedTest
  @ValueSource(strings = {"renew", "release", "acquire", "acquire-new"})
  void theHistoryIsLookedUpAndNeverReadWhole(String statement) throws SQLException {
    assertThat(plan(statement))
        .doesNotContain("Seq Scan on leasehold_past_grant", "Seq Scan on leasehold_request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"renew", "release", "acquire"})
  void whatIsLockedIsWrittenWithoutLookingForItAgain(String statement) throws SQLException {
    assertThat(plan(statement)).contains("TID Cond: (ctid = d.row_id)");
  }

  @Test
  void anAcquireLocksWhatItHasSeenWithoutLookingForItAgain() throws SQLException {
    assertThat(plan("acquire")).containsPattern("TID Cond: \\(ctid = j(_\\d)?\\.row_id\\)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"put-objects", "put-new-objects"})
  void theDeedsOfObjectsAreLookedUpAndNeverReadWhole(String statement) throws SQLException {
    assertThat(plan(statement))
        .contains("Index Only Scan using leasehold_object_deed_pkey")
        .doesNotContain("Seq Scan on leasehold_object_deed");
  }

  @Test
  void anObjectThatIsLockedIsWrittenWithoutLookingForItAgain() throws SQLException {
    assertThat(plan("put-objects"))
        .contains("TID Cond: (ctid = d.row_id)", "TID Cond: (ctid = t.row_id)")
        .doesNotContain("Seq Scan on leasehold_object ");
  }

  /** With a plan that was made for few rows, and is reused for many. */
  @ParameterizedTest
  @ValueSource(strings = {"put-objects", "put-new-objects", "read-objects"})
  void eachObjectIsLookedUpWithAllOfThemNeverRead(String statement) throws SQLException {
    assertThat(plan(statement))
        .doesNotContain("Seq Scan on leasehold_object ", "Seq Scan on leasehold_object_floor");
  }

  private static String plan(String name) throws SQLException {
    String text = Dialect.POSTGRESQL.sql().get(name);
    int parameters = (int) PARAMETER.matcher(text).results().count();
    String numbered = text;
    for (int i = 1; i <= parameters; i++) {
      numbered = PARAMETER.matcher(numbered).replaceFirst(Matcher.quoteReplacement("$" + i));
    }
    String nulls =
        IntStream.range(0, parameters).mapToObj(i -> "NULL").collect(Collectors.joining(", "));
    try (Connection connection = DriverManager.getConnection(PostgresServer.url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
      JdbcStore.at(PostgresServer.url() + "&currentSchema=" + SCHEMA).migrate().open().close();
      statement.execute("SET search_path = " + SCHEMA);
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE planned AS " + numbered);
      StringBuilder plan = new StringBuilder();
      try (ResultSet rows = statement.executeQuery("EXPLAIN EXECUTE planned (" + nulls + ")")) {
        while (rows.next()) {
          plan.append(rows.getString(1)).append('\n');
        }
      }
      return plan.toString();
    }
  }
}
