package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.housekeeping.Chore;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLease;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLoop;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Place;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** History is bounded, and housekeeping removes only rows that no request can depend on. */
abstract class Housekept {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final long LATER_MILLIS =
      TestCommands.START_MILLIS + Duration.ofHours(1).toMillis();

  /** The past grants of all keys but housekeeping's own. */
  static final String HISTORY = "leasehold_past_grant WHERE key <> '" + HousekeepingLease.KEY + "'";

  private TwoHandles stores;

  abstract TwoHandles open();

  @BeforeEach
  void openStore() {
    stores = open();
  }

  @AfterEach
  void closeStore() {
    stores.close();
  }

  TwoHandles stores() {
    return stores;
  }

  private JdbcStore store() {
    return stores.jdbc();
  }

  private List<Token> grants(int count) {
    List<Token> tokens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tokens.add(TestCommands.acquireAndRelease(store().leases(), KEY));
    }
    return tokens;
  }

  @Test
  void the_last_grants_are_told_newest_first() {
    List<Token> tokens = grants(3);
    List<PastGrant> history =
        TestCommands.get(store().part(PastGrants.class).orElseThrow().of(KEY));
    assertThat(history).extracting(PastGrant::token).containsExactly(tokens.get(1), tokens.get(0));
    assertThat(history.getFirst().end()).isEqualTo(new LossReason.Released());
    assertThat(history.getFirst().holder()).isEqualTo("ann");
    assertThat(
            TestCommands.get(
                store().part(PastGrants.class).orElseThrow().of(new LeaseKey("lock/never"))))
        .isEmpty();
  }

  @Test
  void what_may_still_be_asked_for_is_kept_and_the_rest_is_trimmed_to_the_last_ones() {
    grants(PastGrantChore.KEPT + 10);
    TestCommands.get(store().tidy());
    assertThat(kept()).isEqualTo(PastGrantChore.KEPT + 9);
    stores.setClock(LATER_MILLIS);
    TestCommands.get(store().tidy());
    assertThat(kept()).isEqualTo(PastGrantChore.KEPT);
  }

  /** How many past grants are kept. */
  abstract int kept();

  @Test
  void a_purge_goes_through_more_keys_than_a_page_and_stops_at_its_limit() {
    int keys = 203;
    TestCommands.get(
        store()
            .leases()
            .apply(
                IntStream.range(0, keys)
                    .mapToObj(i -> TestCommands.acquiring(new LeaseKey("lock/k" + i)))
                    .toList()));
    stores.setClock(LATER_MILLIS);
    PurgeQuery some = new PurgeQuery(0, 130);
    assertThat(TestCommands.get(store().leases().purge(some)).purged()).isEqualTo(130);
    assertThat(TestCommands.get(store().leases().purge(some)).purged()).isEqualTo(keys - 130);
    assertThat(TestCommands.get(store().leases().purge(some)).purged()).isZero();
  }

  abstract Dialect dialect();

  private TwoHandles handles() {
    return stores;
  }

  private Housekeeping housekeeping() {
    return Tidying.housekeeping(dialect(), handles()::connect);
  }

  private static Chore history(Housekeeping housekeeping) {
    return housekeeping.chores().getFirst();
  }

  /** Past grants of a key in this bucket, more than are kept. */
  private void insertHistory(int bucket) {
    try (StoreConnection connection = RawConnection.on(handles().connect(), dialect())) {
      for (int i = 1; i <= PastGrantChore.KEPT + 10; i++) {
        connection.update(
            "insert-past-grant",
            bucket,
            "run/" + bucket,
            (long) i,
            "a".repeat(64),
            false,
            "r" + i,
            "ann",
            "",
            "",
            TestCommands.START_MILLIS,
            TestCommands.START_MILLIS + i,
            "RELEASED",
            null,
            null,
            null,
            null);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Token token(HousekeepingLease lease) {
    return ((HousekeepingLease.HeldHere) lease.take()).token();
  }

  @Test
  void only_the_process_that_has_the_lease_tidies() throws SQLException {
    insertHistory(7);
    stores.setClock(LATER_MILLIS);
    HousekeepingLease first = Tidying.lease(store());
    HousekeepingLease second = Tidying.lease(stores.anotherJdbc());
    Token unused = token(first);
    try (HousekeepingLoop theirs = new HousekeepingLoop(housekeeping(), second);
        HousekeepingLoop ours = new HousekeepingLoop(housekeeping(), first)) {
      assertThat(theirs.round()).isEqualTo(HousekeepingLease.TTL);
      assertThat(kept()).isEqualTo(PastGrantChore.KEPT + 10);
      assertThat(ours.round()).isZero();
      assertThat(kept()).isEqualTo(PastGrantChore.KEPT);
    }
    assertThat(
            TestCommands.get(store().leases().read(HousekeepingLease.KEY))
                .orElseThrow()
                .record()
                .currentGrant())
        .as("given back when it was closed")
        .isEmpty();
  }

  @Test
  void a_process_whose_lease_has_gone_to_another_removes_nothing_more() throws SQLException {
    insertHistory(7);
    stores.setClock(LATER_MILLIS);
    Housekeeping housekeeping = housekeeping();
    Chore history = history(housekeeping);
    Token old = token(Tidying.lease(store()));
    stores.setClock(LATER_MILLIS + HousekeepingLease.TTL.toMillis());
    Token next = token(Tidying.lease(stores.anotherJdbc()));
    assertThat(next).isGreaterThan(old);
    housekeeping.move(history, Place.START, next);
    assertThatThrownBy(() -> housekeeping.tidy(history, Place.START, old))
        .isInstanceOf(Housekeeping.Superseded.class);
    assertThat(kept()).isEqualTo(PastGrantChore.KEPT + 10);
    assertThat(housekeeping.tidy(history, Place.START, next).removed()).isEqualTo(10);
  }

  /** No migration writes a row for each chore: the first page does. */
  @Test
  void a_chore_of_which_no_place_is_recorded_begins_at_the_start() throws SQLException {
    insertHistory(7);
    stores.setClock(LATER_MILLIS);
    Housekeeping housekeeping = housekeeping();
    try (StoreConnection connection = RawConnection.on(handles().connect(), dialect());
        Statement statement = connection.jdbc().createStatement()) {
      assertThat(statement.executeUpdate("DELETE FROM leasehold_housekeeping")).isPositive();
    }
    Token token = token(Tidying.lease(store()));
    Place reached = housekeeping.tidy(history(housekeeping), Place.START, token).next();
    assertThat(housekeeping.places()).containsExactly(Map.entry("history", reached));
  }

  /** Rows that are added before the saved place show that the successor has not started over. */
  @Test
  void the_successor_of_a_killed_process_goes_on_where_that_ended() throws SQLException {
    insertHistory(7);
    insertHistory(1_000);
    stores.setClock(LATER_MILLIS);
    Housekeeping killed = housekeeping();
    Token old = token(Tidying.lease(store()));
    Place reached = killed.tidy(history(killed), Place.START, old).next();
    assertThat(reached.bucket()).isGreaterThan(7).isLessThan(1_000);
    insertHistory(6);
    stores.setClock(LATER_MILLIS + HousekeepingLease.TTL.toMillis());
    Housekeeping successor = housekeeping();
    assertThat(successor.places()).containsEntry("history", reached);
    try (HousekeepingLoop tidier =
        new HousekeepingLoop(successor, Tidying.lease(stores.anotherJdbc()))) {
      while (!Place.START.equals(successor.places().get("history"))) {
        assertThat(tidier.round()).isZero();
      }
      assertThat(kept()).isEqualTo(3 * PastGrantChore.KEPT + 10);
      do {
        assertThat(tidier.round()).isZero();
      } while (!Place.START.equals(successor.places().get("history")));
    }
    assertThat(kept()).isEqualTo(3 * PastGrantChore.KEPT);
  }

  @Test
  void the_grants_of_a_key_that_are_young_yet_are_passed_over_at_once() throws SQLException {
    insertHistory(7);
    stores.setClock(TestCommands.START_MILLIS + Duration.ofMinutes(10).toMillis());
    Housekeeping housekeeping = housekeeping();
    try (StoreConnection connection = RawConnection.on(handles().connect(), dialect())) {
      Page page =
          history(housekeeping)
              .page(
                  connection, new Page.Bounds(Place.START, 64, 5), Housekeeping.clock(connection));
      assertThat(page.last()).isEqualTo(new Place(7, "run/7", "", "", 5));
      assertThat(page.next()).isEqualTo(new Place(7, "run/7", "", "", Long.MAX_VALUE));
    }
  }

  /** Pages of every size, so that a key's grants are in one page, in two, or in many. */
  @Test
  void the_same_is_removed_with_pages_of_every_size() throws SQLException {
    for (int rows = 1; rows <= 2 * PastGrantChore.KEPT; rows += 3) {
      insertHistory(rows);
      insertHistory(rows + 1);
      stores.setClock(LATER_MILLIS);
      Chore history = history(housekeeping());
      try (StoreConnection connection = RawConnection.on(handles().connect(), dialect())) {
        Place place = Place.START;
        while (!Housekeeping.isEnd(place)) {
          long now = Housekeeping.clock(connection);
          Page page = history.page(connection, new Page.Bounds(place, Buckets.COUNT, rows), now);
          int unused = history.tidy(connection, page, now);
          place = page.next();
        }
        assertThat(kept()).as("pages of %d", rows).isEqualTo(2 * PastGrantChore.KEPT);
        connection.update("delete-past-grant", rows, "run/" + rows);
        connection.update("delete-past-grant", rows + 1, "run/" + (rows + 1));
      }
    }
  }

  @Test
  void records_of_keys_that_were_dead_for_long_go_by_themselves() throws SQLException {
    TestCommands.acquireAndRelease(store().leases(), KEY);
    long month = JdbcStoreBuilder.DEAD_RECORDS_KEPT.toMillis();
    stores.setClock(TestCommands.START_MILLIS + month - 1);
    goThroughAll();
    assertThat(TestCommands.get(store().leases().read(KEY))).isPresent();
    stores.setClock(TestCommands.START_MILLIS + month);
    goThroughAll();
    assertThat(TestCommands.get(store().leases().read(KEY))).isEmpty();
  }

  /** As many rounds as it takes from the first row to the last. */
  private void goThroughAll() throws SQLException {
    Housekeeping housekeeping = housekeeping();
    try (HousekeepingLoop tidier = new HousekeepingLoop(housekeeping, Tidying.lease(store()))) {
      do {
        assertThat(tidier.round()).isZero();
      } while (!housekeeping.places().values().stream().allMatch(Place.START::equals));
    }
  }
}
