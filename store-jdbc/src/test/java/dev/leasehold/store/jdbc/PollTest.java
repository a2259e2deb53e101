package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.Poll;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Questions of several blocks are sent together, and each gets its own answer. */
class PollTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> heard = new ArrayList<>();
  private final List<Poll.Times> times = new ArrayList<>();

  /** Each reading of the ticker is a nanosecond later. */
  private final Poll poll = new Poll(nanos::incrementAndGet);

  private Poll.Query query(String name, String statement, Object... values) {
    return new Poll.Query() {
      @Override
      public String statement() {
        return statement;
      }

      @Override
      public List<Object> values(StoreConnection connection) {
        return List.of(values);
      }

      @Override
      public void answered(ResultSet rows, Poll.Times asked) throws SQLException {
        heard.add(name + (rows.next() ? " something" : " nothing"));
        times.add(asked);
      }
    };
  }

  private static StoreConnection connect(Schema schema) throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(schema.url(""));
    StoreConnection connection = new Connector(source, Dialect.POSTGRESQL).connect();
    connection.autoCommit(true);
    return connection;
  }

  @Test
  void each_question_gets_its_answer_and_its_age_counts_from_the_sending() throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store = schema.store().migrate().open();
        StoreConnection connection = connect(schema)) {
      assertThat(store).isNotNull();
      poll.with(query("clock", "clock"))
          .with(query("absent", "read", 0, "lock/absent"))
          .with(query("again", "clock"));
      poll.ask(connection);
      poll.ask(connection);
      assertThat(heard)
          .containsExactly(
              "clock something",
              "absent nothing",
              "again something",
              "clock something",
              "absent nothing",
              "again something");
      assertThat(times.subList(0, 3)).extracting(Poll.Times::sentNanos).containsOnly(1L);
      assertThat(times).allMatch(one -> one.sentNanos() < one.receivedNanos());
    }
  }

  @Test
  void a_question_that_is_refused_keeps_no_other_from_being_answered() throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store = schema.store().migrate().open();
        StoreConnection connection = connect(schema)) {
      assertThat(store).isNotNull();
      poll.with(query("wrong", "read", "no number", "lock/a")).with(query("clock", "clock"));
      poll.ask(connection);
      assertThat(heard).containsExactly("clock something");
    }
  }

  @Test
  void in_a_file_they_are_asked_one_after_the_other() throws SQLException {
    try (StoreConnection connection =
        StoreConnection.onFile(
            DriverManager.getConnection("jdbc:sqlite::memory:"), Dialect.SQLITE)) {
      poll.with(query("clock", "clock")).with(query("version", "data-version"));
      poll.ask(connection);
      assertThat(heard).containsExactly("clock something", "version something");
    }
  }
}
