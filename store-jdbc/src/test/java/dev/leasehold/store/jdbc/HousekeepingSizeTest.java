package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Ticker;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Housekeeping gets through however much there is: with {@code -Pproof}, 10 million past grants and
 * 1 million dead keys.
 */
class HousekeepingSizeTest {
  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");
  private static final int KEYS = PROOF ? 100_000 : 500;
  private static final int GRANTS_EACH = 100;
  private static final int DEAD = PROOF ? 1_000_000 : 20_000;
  private static final int ALIVE = PROOF ? 100_000 : 2_000;

  private Schema schema;
  private JdbcLeaseStore store;

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

  /** All in one round: what is worth it is not put off. */
  @Test
  void one_round_gets_through_all_that_is_to_be_removed() throws SQLException {
    schema.execute(ManyRows.pastGrants(KEYS, GRANTS_EACH, Buckets.COUNT));
    schema.execute(ManyRows.records("dead", DEAD, 40));
    schema.execute(ManyRows.records("alive", ALIVE, 20));
    Housekeeping housekeeping =
        new Housekeeping(
            Dialect.POSTGRESQL,
            new Housekeeping.Beside(
                new Sessions.Kept(Connector.direct(schema.url(""), Dialect.POSTGRESQL)),
                new Backoff()),
            Dialect.POSTGRESQL.limits(),
            Duration.ofDays(30));
    try (Tidier tidier = new Tidier(housekeeping, Tidying.lease(store))) {
      long begun = Ticker.system().nanos();
      assertThat(tidier.round()).isZero();
      report(begun);
      assertThat(tidier.round()).isZero();
    }
    assertThat(count("leasehold_past_grant")).isEqualTo((long) KEYS * PastGrant.KEPT);
    assertThat(count("leasehold_lease WHERE key LIKE 'run/dead-%'")).isZero();
    assertThat(count("leasehold_lease WHERE key LIKE 'run/alive-%'")).isEqualTo(ALIVE);
    assertThat(count("leasehold_floor f WHERE f.token < (700::bigint << 40)")).isZero();
  }

  private static void report(long begunNanos) {
    double seconds = (Ticker.system().nanos() - begunNanos) / 1e9;
    long removed = (long) KEYS * (GRANTS_EACH - PastGrant.KEPT) + DEAD;
    System.out.printf(
        "housekeeping removed %,d rows in %.1f s: %,.0f a second%n",
        removed, seconds, removed / seconds);
  }
}
