package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLoop;
import dev.leasehold.store.jdbc.housekeeping.Place;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Housekeeping finishes with any number of rows: with {@code -Pproof}, 10 million past grants and 1
 * million dead keys.
 */
class HousekeepingSizeTest {
  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");
  private static final int KEYS = PROOF ? 100_000 : 500;
  private static final int GRANTS_EACH = 100;
  private static final int DEAD = PROOF ? 1_000_000 : 20_000;
  private static final int ALIVE = PROOF ? 100_000 : 2_000;

  private static final System.Logger LOG = System.getLogger(HousekeepingSizeTest.class.getName());

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

  private long count(String what) throws SQLException {
    return Long.parseLong(schema.value("SELECT count(*) FROM " + what));
  }

  /** All in one round: rows that are worth removing are not postponed. */
  @Test
  void one_round_gets_through_all_that_is_to_be_removed() throws SQLException {
    Housekeeping housekeeping = housekeeping();
    try (HousekeepingLoop tidier = new HousekeepingLoop(housekeeping, Tidying.lease(store))) {
      do {
        assertThat(tidier.round()).isZero();
      } while (!housekeeping.places().values().stream().allMatch(Place.START::equals));
      schema.execute(ManyRows.pastGrants(KEYS, GRANTS_EACH, Buckets.COUNT));
      round(tidier, "past grants", KEYS * (GRANTS_EACH - PastGrantChore.KEPT));
      schema.execute(ManyRows.records("dead", DEAD, 40));
      schema.execute(ManyRows.records("alive", ALIVE, 20));
      round(tidier, "dead records", DEAD);
    }
    assertThat(count(Housekept.HISTORY)).isEqualTo((long) KEYS * PastGrantChore.KEPT);
    assertThat(count("leasehold_lease WHERE key LIKE 'run/dead-%'")).isZero();
    assertThat(count("leasehold_lease WHERE key LIKE 'run/alive-%'")).isEqualTo(ALIVE);
    assertThat(count("leasehold_floor f WHERE f.token < (700::bigint << 40)")).isZero();
  }

  private Housekeeping housekeeping() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(schema.url(""));
    Connector connector = new Connector(source, Dialect.POSTGRESQL);
    return new Housekeeping(
        Dialect.POSTGRESQL,
        new Housekeeping.OnOwnConnections(new ConnectionSource.Kept(connector), new Backoff()),
        JdbcStoreBuilder.chores(Dialect.POSTGRESQL.limits(), JdbcStoreBuilder.DEAD_RECORDS_KEPT));
  }

  private static void round(HousekeepingLoop tidier, String what, int rows) throws SQLException {
    long begunNanos = Ticker.system().nanos();
    assertThat(tidier.round()).isZero();
    double seconds = (Ticker.system().nanos() - begunNanos) / 1e9;
    LOG.log(
        Level.INFO,
        () -> "%,d %s in %.1f s: %,.0f a second".formatted(rows, what, seconds, rows / seconds));
  }
}
