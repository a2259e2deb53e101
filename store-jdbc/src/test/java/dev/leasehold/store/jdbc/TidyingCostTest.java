package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLoop;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.PageSize;
import dev.leasehold.store.jdbc.housekeeping.Place;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import dev.leasehold.store.jdbc.leases.LeasePurge;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What housekeeping reads and waits for, on PostgreSQL, which counts both. */
class TidyingCostTest {
  private static final int KEYS = 4_000;
  private static final PurgeQuery ALL = new PurgeQuery(Duration.ofDays(30).toMillis(), 1_000_000);

  /** A page reads its rows to find its end, to judge them, and to delete them. */
  private static final int READS_OF_A_ROW = 3;

  private Schema schema;
  private JdbcStore store;

  @BeforeEach
  void open() {
    schema = new Schema();
    store = schema.store().leaveHousekeepingToOthers().migrate().open();
  }

  @AfterEach
  void close() {
    store.close();
    schema.close();
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(schema.url(""));
  }

  /** All of a round in one transaction, so that the server can report what it has read. */
  private static Housekeeping inOne(StoreConnection connection) {
    return new Housekeeping(
        Dialect.POSTGRESQL,
        new Housekeeping.Transacting() {
          @Override
          public <T> T run(ConnectionWork<T> work) throws SQLException {
            return work.run(connection);
          }
        },
        JdbcStoreBuilder.chores(Dialect.POSTGRESQL.limits(), JdbcStoreBuilder.DEAD_RECORDS_KEPT));
  }

  private static long rowsRead(StoreConnection connection, String table) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement();
        var rows =
            statement.executeQuery(
                "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)"
                    + " FROM pg_stat_xact_user_tables WHERE relid = '"
                    + table
                    + "'::regclass")) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  @Test
  void a_round_that_finds_nothing_to_remove_reads_a_bounded_number_of_rows() throws SQLException {
    schema.execute(ManyRows.pastGrants(KEYS, PastGrantChore.KEPT, 1));
    schema.execute(ManyRows.records("alive", KEYS * PastGrantChore.KEPT, 20));
    int bound = HousekeepingLoop.IDLE_PAGES * PageSize.MOST_ROWS * READS_OF_A_ROW;
    assertThat(KEYS * PastGrantChore.KEPT).isGreaterThan(bound);
    try (StoreConnection connection = RawConnection.on(connect(), Dialect.POSTGRESQL)) {
      connection.autoCommit(false);
      Housekeeping housekeeping = inOne(connection);
      try (HousekeepingLoop tidier = new HousekeepingLoop(housekeeping, Tidying.lease(store))) {
        assertThat(tidier.round()).isZero();
      }
      assertThat(rowsRead(connection, "leasehold_past_grant")).isBetween(1L, (long) bound);
      assertThat(rowsRead(connection, "leasehold_lease")).isBetween(1L, (long) bound);
      Place reached = housekeeping.places().getOrDefault("history", Place.START);
      assertThat(reached.name()).startsWith("run/past-");
      connection.rollBack();
    }
  }

  /** By the planner's estimate, compiling each plan would be worth it once the table is large. */
  @Test
  void the_plans_of_a_page_are_not_compiled() throws SQLException {
    try (StoreConnection connection = RawConnection.on(connect(), Dialect.POSTGRESQL);
        Statement statement = connection.jdbc().createStatement()) {
      connection.autoCommit(false);
      statement.execute("SET jit = on");
      Housekeeping.bound(connection);
      try (var rows = statement.executeQuery("SELECT current_setting('jit')")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("off");
      }
      connection.rollBack();
    }
  }

  @Test
  void what_another_has_locked_is_left_and_not_waited_for() throws SQLException {
    schema.execute(ManyRows.records("dead", 10, 40));
    try (Connection user = connect();
        Statement statement = user.createStatement()) {
      user.setAutoCommit(false);
      statement.execute("SELECT 1 FROM leasehold_lease WHERE key = 'run/dead-3' FOR KEY SHARE");
      statement.execute("SELECT 1 FROM leasehold_floor WHERE bucket = 5 FOR KEY SHARE");
      assertThat(TestCommands.get(store.leases().purge(ALL)).purged()).isEqualTo(8);
      user.rollback();
    }
    assertThat(TestCommands.get(store.leases().purge(ALL)).purged()).isEqualTo(2);
  }

  /** The purge has locked the row, but by the clock the key is not dead any more. */
  @Test
  void a_record_is_judged_by_the_clock_that_is_read_after_its_lock() throws SQLException {
    schema.execute(ManyRows.records("dead", 1, 40));
    Purging purge = LeasePurge.after(ALL.deadForMillis(), Dialect.POSTGRESQL.limits());
    try (StoreConnection connection = RawConnection.on(connect(), Dialect.POSTGRESQL)) {
      long later = Housekeeping.clock(connection) + Duration.ofDays(1).toMillis();
      Page all = Page.upTo(Place.START, Place.before(2_048));
      schema.execute(
          "UPDATE leasehold_lease SET written_at = written_at + "
              + Duration.ofDays(11).minusHours(1).toMillis());
      assertThat(purge.purge(connection, all, later, 10)).isZero();
      assertThat(purge.purge(connection, all, Housekeeping.clock(connection), 10)).isZero();
    }
  }

  @Test
  void rows_that_are_deleted_by_hand_leave_their_tokens_below_the_floors() throws SQLException {
    schema.execute(ManyRows.records("dead", KEYS, 40));
    String highest =
        "SELECT string_agg(bucket || ':' || token, ',' ORDER BY bucket) FROM (SELECT bucket,"
            + " max(last_token) AS token FROM leasehold_lease GROUP BY bucket) l";
    String expected = schema.value(highest);
    schema.execute("DELETE FROM leasehold_lease");
    assertThat(
            schema.value(
                "SELECT string_agg(bucket || ':' || token, ',' ORDER BY bucket) FROM"
                    + " leasehold_floor"))
        .isEqualTo(expected);
  }
}
