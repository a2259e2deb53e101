package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.changes.ChangeSource;
import dev.leasehold.store.jdbc.changes.Notifications;
import dev.leasehold.store.jdbc.changes.TimeCursor;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The cursor for CockroachDB, over the same table on PostgreSQL. */
class TimeCursorTest {
  private final TimeCursor cursor = new TimeCursor();
  private Schema schema;
  private StoreConnection connection;

  @BeforeEach
  void makeTable() throws SQLException {
    schema = new Schema();
    schema.execute(
        """
        CREATE TABLE leasehold_change (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(), at bigint NOT NULL, changes text NOT NULL)
        """);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(schema.url(""));
    connection = new Connector(source, Dialect.COCKROACHDB).connect();
  }

  @AfterEach
  void dropTable() {
    connection.closeQuietly();
    schema.close();
  }

  private void commit(String text, long agoMillis) throws SQLException {
    long now = connection.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
    schema.execute(
        "INSERT INTO leasehold_change (at, changes) VALUES (%d, '%s')"
            .formatted(now - agoMillis, text));
  }

  private List<String> heard() throws SQLException {
    return cursor.next(connection).stream().map(item -> ((ChangeSource.Text) item).text()).toList();
  }

  @Test
  void what_was_there_before_is_not_told_and_what_comes_is_told_once() throws SQLException {
    commit("before", 0);
    cursor.start(connection);
    assertThat(heard()).isEmpty();
    Notifications.post(connection, List.of("one", "two"));
    assertThat(heard()).containsExactlyInAnyOrder("one", "two");
    assertThat(heard()).isEmpty();
  }

  @Test
  void a_slow_writer_that_commits_after_a_faster_one_is_heard_too() throws SQLException {
    cursor.start(connection);
    commit("fast", 0);
    assertThat(heard()).containsExactly("fast");
    commit("slow", TimeCursor.OVERLAP_MILLIS / 2);
    assertThat(heard()).containsExactly("slow");
    assertThat(heard()).isEmpty();
  }

  @Test
  void changes_that_every_listener_has_heard_are_trimmed() throws SQLException {
    commit("old", 1_000_000);
    commit("new", 0);
    long now = connection.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
    assertThat(connection.update("trim-changes", now - 100_000)).isOne();
    assertThat(schema.value("SELECT string_agg(changes, ',') FROM leasehold_change"))
        .isEqualTo("new");
  }
}
