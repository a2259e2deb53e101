package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.batches.LockHolders;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The transactions that have a row locked, as another connection sees them. */
class LockHoldersTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final String ROW = "SELECT 1 FROM leasehold_lease WHERE key = 'lock/a' ";

  private Schema schema;
  private JdbcStore store;
  private Connection first;
  private Connection second;

  @BeforeEach
  void open() throws SQLException {
    schema = new Schema();
    store = schema.store().migrate().open();
    first = connect("first");
    second = connect("second");
    var unused = TestCommands.acquire(store.leases(), KEY);
  }

  private Connection connect(String name) throws SQLException {
    Connection connection = DriverManager.getConnection(schema.url(""));
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET application_name = '" + name + "'");
    }
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    first.close();
    second.close();
    store.close();
    schema.close();
  }

  private static long run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }

  private List<LockHolder> holders() throws SQLException {
    try (Connection jdbc = DriverManager.getConnection(schema.url(""));
        StoreConnection connection = RawConnection.on(jdbc, Dialect.POSTGRESQL)) {
      return LockHolders.find(connection, "lock-holders", Buckets.of(KEY), KEY.text());
    }
  }

  @Test
  void a_row_that_is_free_or_missing_is_held_by_none() throws SQLException {
    assertThat(holders()).isEmpty();
    long unused = run(first, ROW + "FOR UPDATE");
    first.rollback();
    assertThat(holders()).isEmpty();
    schema.execute("DELETE FROM leasehold_lease");
    assertThat(holders()).isEmpty();
  }

  @Test
  void one_backend_is_named_by_what_people_look_for() throws SQLException {
    long pid = run(first, ROW + "FOR UPDATE");
    assertThat(holders())
        .singleElement()
        .satisfies(
            holder -> {
              assertThat(holder.pid()).isEqualTo(pid);
              assertThat(holder.application()).isEqualTo("first");
              assertThat(holder.client()).isNotEmpty().isNotEqualTo("hidden");
              assertThat(holder.sinceMillis()).isNotNegative();
              assertThat(holder.toString()).contains("backend " + pid + " (first, client ");
            });
  }

  @Test
  void a_lock_taken_after_a_savepoint_is_found_too() throws SQLException {
    long unused = run(first, "SAVEPOINT here");
    long pid = run(first, ROW + "FOR KEY SHARE");
    assertThat(holders()).extracting(LockHolder::pid).containsExactly(pid);
  }

  @Test
  void those_who_share_a_lock_are_all_named() throws SQLException {
    long one = run(first, ROW + "FOR KEY SHARE");
    long other = run(second, ROW + "FOR KEY SHARE");
    assertThat(holders()).extracting(LockHolder::pid).containsExactlyInAnyOrder(one, other);
    first.commit();
    assertThat(holders()).extracting(LockHolder::pid).containsExactly(other);
  }

  @Test
  void a_row_that_is_being_deleted_or_changed_is_held_by_its_writer() throws SQLException {
    long pid = run(first, "DELETE FROM leasehold_lease WHERE key = 'lock/a'");
    assertThat(holders()).extracting(LockHolder::pid).containsExactly(pid);
    first.rollback();
    pid = run(first, "UPDATE leasehold_lease SET purpose = 'x' WHERE key = 'lock/a'");
    assertThat(holders()).extracting(LockHolder::pid).containsExactly(pid);
  }

  @Test
  void transactions_that_have_rows_locked_for_long_are_listed_and_readers_are_not()
      throws SQLException {
    long unused = run(second, "SELECT count(*) FROM leasehold_lease");
    assertThat(TestCommands.get(store.part(RowLocks.class).orElseThrow().longerThan(Duration.ZERO)))
        .isEmpty();
    long pid = run(first, ROW + "FOR KEY SHARE");
    assertThat(TestCommands.get(store.part(RowLocks.class).orElseThrow().longerThan(Duration.ZERO)))
        .extracting(LockHolder::pid, LockHolder::application)
        .containsExactly(tuple(pid, "first"));
    assertThat(
            TestCommands.get(
                store.part(RowLocks.class).orElseThrow().longerThan(Duration.ofHours(1))))
        .isEmpty();
  }

  /** A role sees little of other roles' backends, and hidden values are unreliable. */
  @Test
  void those_whose_age_the_stores_role_may_not_see_are_listed_too() throws SQLException {
    long pid = run(first, ROW + "FOR KEY SHARE");
    String role = schema.name() + "_role";
    schema.execute("CREATE ROLE " + role);
    try (Connection jdbc = DriverManager.getConnection(schema.url(""));
        Statement statement = jdbc.createStatement();
        StoreConnection connection = RawConnection.on(jdbc, Dialect.POSTGRESQL)) {
      statement.execute("GRANT ALL ON SCHEMA " + schema.name() + " TO " + role);
      statement.execute("GRANT ALL ON ALL TABLES IN SCHEMA " + schema.name() + " TO " + role);
      statement.execute("SET ROLE " + role);
      assertThat(LockHolders.find(connection, "long-lock-holders", 3_600_000L))
          .singleElement()
          .satisfies(
              holder -> {
                assertThat(holder.pid()).isEqualTo(pid);
                assertThat(holder.isHidden()).isTrue();
                assertThat(holder.toString()).contains("whose age this role may not see");
              });
    } finally {
      first.rollback();
      schema.execute("DROP OWNED BY " + role);
      schema.execute("DROP ROLE " + role);
    }
  }

  /** It has no backend, and no limit ends it: a waiter has to be told its name. */
  @Test
  void a_prepared_transaction_is_named_and_left_to_its_coordinator() throws SQLException {
    assumeThat(schema.value("SHOW max_prepared_transactions")).isNotEqualTo("0");
    String name = schema.name() + "'s";
    String quoted = "'" + name.replace("'", "''") + "'";
    long unused = run(first, ROW + "FOR KEY SHARE");
    try (Statement statement = first.createStatement()) {
      statement.execute("PREPARE TRANSACTION " + quoted);
    }
    try {
      assertThat(holders()).singleElement().matches(LockHolder::isPrepared);
      assertThat(
              TestCommands.get(store.part(RowLocks.class).orElseThrow().longerThan(Duration.ZERO)))
          .singleElement()
          .satisfies(
              holder -> {
                assertThat(holder.application()).isEqualTo(name);
                assertThat(holder.endedBy()).isEqualTo("ROLLBACK PREPARED " + quoted);
                assertThat(holder.toString()).contains("prepared transaction " + name);
              });
      assertThat(TestCommands.get(store.part(RowLocks.class).orElseThrow().end(KEY)))
          .singleElement()
          .isInstanceOf(RowLocks.Ending.NotAllowed.class);
    } finally {
      schema.execute("ROLLBACK PREPARED " + quoted);
    }
  }

  @Test
  void what_has_a_row_locked_can_be_ended() throws SQLException {
    long unused = run(second, "SELECT count(*) FROM leasehold_lease");
    long pid = run(first, ROW + "FOR KEY SHARE");
    assertThat(TestCommands.get(store.part(RowLocks.class).orElseThrow().end(KEY)))
        .singleElement()
        .isInstanceOfSatisfying(
            RowLocks.Ending.Ended.class, ended -> assertThat(ended.holder().pid()).isEqualTo(pid));
    assertThatThrownBy(() -> run(first, "SELECT 1")).isInstanceOf(SQLException.class);
    assertThat(run(second, "SELECT 1")).isPositive();
  }
}
