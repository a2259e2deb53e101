package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.health.StoreClock;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The clock of a real database is set while a store is open. */
class SteppedStoreClockTest {
  private static final long ELEVEN_MINUTES = 660_000;

  @Test
  void an_open_store_tells_and_counts_it_on_postgresql() throws InterruptedException {
    try (StoreUnderTest tested =
        new PostgresStoreUnderTest(Doing.START_MILLIS, Dialect.POSTGRESQL, "read\\ committed")) {
      tellsAndCounts(tested);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void an_open_store_tells_and_counts_it_on_sqlite() throws Exception {
    try (StoreUnderTest tested = new SqliteStoreUnderTest(Doing.START_MILLIS)) {
      tellsAndCounts(tested);
    }
  }

  private static void tellsAndCounts(StoreUnderTest tested)
      throws InterruptedException, SQLException {
    JdbcLeaseStore store = (JdbcLeaseStore) tested.store();
    Doing.get(store.identity());
    CountDownLatch told = new CountDownLatch(1);
    Handler handler = new Telling("stepped forward", told);
    Logger logger = Logger.getLogger(StoreClock.class.getName());
    logger.addHandler(handler);
    try {
      // Ever further: the store may look for the first time after the first step.
      for (int i = 1; told.getCount() > 0 && i <= 60; i++) {
        tested.setClock(Doing.START_MILLIS + i * ELEVEN_MINUTES);
        boolean unused = told.await(1, TimeUnit.SECONDS);
      }
      assertThat(told.getCount()).isZero();
      assertThat(store.clockSteps().count()).isPositive();
      assertThat(store.clockSteps().last()).isPresent();
    } finally {
      logger.removeHandler(handler);
    }
  }

  private static final class Telling extends Handler {
    private final String text;
    private final CountDownLatch told;

    Telling(String text, CountDownLatch told) {
      this.text = text;
      this.told = told;
    }

    @Override
    public void publish(LogRecord entry) {
      if (String.valueOf(entry.getMessage()).contains(text)) {
        told.countDown();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** With a ticker that stands as still as the database's clock, to the millisecond. */
  @Test
  void a_session_shows_the_step_to_the_millisecond() throws SQLException {
    try (Schema schema = new Schema()) {
      PostgresServer.letClockBeSet();
      schema.execute("CREATE SEQUENCE test_clock MINVALUE 0");
      schema.execute("SELECT setval('test_clock', " + Doing.START_MILLIS + ")");
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(schema.url("-c test.clock=" + schema.name() + ".test_clock"));
      StoreClock clock = new StoreClock(() -> 0, sentence -> {});
      try (Session session = new Connector(source, Dialect.POSTGRESQL).connect()) {
        session.autoCommit(true);
        clock.look(session);
        assertThat(clock.steps().count()).isZero();
        schema.execute(
            "SELECT setval('test_clock', " + (Doing.START_MILLIS + ELEVEN_MINUTES) + ")");
        clock.look(session);
      }
      assertThat(clock.steps().last().orElseThrow().millis()).isEqualTo(ELEVEN_MINUTES - 1);
    }
  }
}
