package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** No change is sent while no process listens; one that starts to listen misses none. */
class UnheardTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");

  private final Schema schema = new Schema();

  @AfterEach
  void close() {
    schema.close();
  }

  /** What was sent until the store was closed. */
  private static int notices(Connection listener) throws SQLException {
    try (Statement statement = listener.createStatement()) {
      statement.execute("SELECT 1");
    }
    return Optional.ofNullable(listener.unwrap(PGConnection.class).getNotifications())
        .map(found -> found.length)
        .orElse(0);
  }

  private static void takeAndGiveBack(JdbcStore store) {
    Token token = TestCommands.acquire(store.leases(), KEY);
    TestCommands.release(store.leases(), KEY, token);
  }

  @Test
  void notices_are_sent_only_while_a_process_listens() throws SQLException {
    schema.store().migrate().open().close();
    try (Connection spy = DriverManager.getConnection(schema.url(""));
        Statement statement = spy.createStatement()) {
      // Without the locks of a listener, so that the store does not know of it.
      statement.execute(
          "DO $$ BEGIN EXECUTE format('LISTEN %I', "
              + Dialect.POSTGRESQL.sql().get("channel")
              + "); END $$");
      try (JdbcStore alone = schema.store().open()) {
        takeAndGiveBack(alone);
        takeAndGiveBack(alone);
      }
      assertThat(notices(spy)).isZero();
      try (JdbcStore heard = schema.store().open();
          JdbcStore listening = schema.store().open()) {
        TestListener listener = new TestListener();
        listening.leases().watch("lock/", listener);
        listener.awaitReset();
        takeAndGiveBack(heard);
      }
      assertThat(notices(spy)).isPositive();
    }
  }

  @Test
  void a_process_that_begins_to_listen_waits_for_what_was_not_told() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open();
        Connection writer = DriverManager.getConnection(schema.url(""));
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      assertThat(isUnheard(statement)).isTrue();
      TestListener listener = new TestListener();
      store.leases().watch("lock/", listener);
      String waiting = "";
      while (!waiting.equals("1")) {
        waiting =
            schema.value(
                "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                    + " WHERE l.locktype = 'advisory' AND NOT l.granted"
                    + " AND a.application_name = current_schema()");
      }
      writer.commit();
      assertThat(listener.awaitReset()).isEmpty();
      assertThat(isUnheard(statement)).as("now a process listens").isFalse();
      writer.rollback();
    }
  }

  private List<String> waitingListeners() throws SQLException {
    return List.of(
        schema
            .value(
                "SELECT coalesce(string_agg(l.pid::text, ','), '')"
                    + " FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                    + " WHERE l.locktype = 'advisory' AND NOT l.granted"
                    + " AND a.application_name = current_schema()")
            .split(",", -1));
  }

  /** The server ends the wait itself: to the server, a client that has given up looks silent. */
  @Test
  void a_wait_to_listen_ends_on_the_server_too_and_is_tried_again() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open();
        Connection writer = DriverManager.getConnection(schema.url(""));
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      assertThat(isUnheard(statement)).isTrue();
      TestListener listener = new TestListener();
      store.leases().watch("lock/", listener);
      List<String> waiting = List.of("");
      while (waiting.contains("")) {
        waiting = waitingListeners();
      }
      String first = waiting.getFirst();
      Set<String> seen = new HashSet<>();
      while (waiting.contains(first)) {
        seen.addAll(waiting);
        assertThat(seen).as("backends that were left waiting").hasSizeLessThan(3);
        waiting = waitingListeners();
      }
      writer.commit();
      assertThat(listener.awaitReset()).isEmpty();
    }
  }

  private static boolean isUnheard(Statement statement) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery("SELECT " + Dialect.POSTGRESQL.sql().get("unheard"))) {
      return rows.next() && rows.getBoolean(1);
    }
  }
}
