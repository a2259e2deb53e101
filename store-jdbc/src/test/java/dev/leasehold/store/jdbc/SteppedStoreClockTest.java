package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.Poll;
import dev.leasehold.store.jdbc.health.StoreClock;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.postgresql.ds.PGSimpleDataSource;

/** The clock of a real database is set while a store is open. */
@Isolated // other tests set clocks too, and one of these listens to what is logged of it
class SteppedStoreClockTest {
  private static final long ELEVEN_MINUTES = 660_000;

  @Test
  void an_open_store_tells_and_counts_it_on_postgresql() throws InterruptedException {
    try (TwoHandles tested =
        new PostgresStoreUnderTest(
            TestCommands.START_MILLIS, Dialect.POSTGRESQL, "read\\ committed")) {
      tellsAndCounts(tested);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void an_open_store_tells_and_counts_it_on_sqlite() throws Exception {
    try (TwoHandles tested = new SqliteStoreUnderTest(TestCommands.START_MILLIS)) {
      tellsAndCounts(tested);
    }
  }

  private static void tellsAndCounts(TwoHandles tested) throws InterruptedException, SQLException {
    JdbcStore store = tested.jdbc();
    TestCommands.get(store.diagnostics().identity());
    CountDownLatch told = new CountDownLatch(1);
    Handler handler = new Telling("stepped forward", told);
    Logger logger = Logger.getLogger(StoreClock.class.getName());
    logger.addHandler(handler);
    try {
      // Further each time: the store may read the clock for the first time after the first step.
      for (int i = 1; told.getCount() > 0 && i <= 60; i++) {
        tested.setClock(TestCommands.START_MILLIS + i * ELEVEN_MINUTES);
        boolean unused = told.await(1, TimeUnit.SECONDS);
      }
      assertThat(told.getCount()).isZero();
      assertThat(store.diagnostics().clockSteps().count()).isPositive();
      assertThat(store.diagnostics().clockSteps().last()).isPresent();
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

  /** With a ticker that stands still to the millisecond, as the database's clock does. */
  @Test
  void a_session_shows_the_step_to_the_millisecond() throws SQLException {
    try (Schema schema = new Schema()) {
      PostgresServer.letClockBeSet();
      schema.execute("CREATE SEQUENCE test_clock MINVALUE 0");
      schema.execute("SELECT setval('test_clock', " + TestCommands.START_MILLIS + ")");
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(schema.url("-c test.clock=" + schema.name() + ".test_clock"));
      StoreClock clock = new StoreClock(() -> 0, sentence -> {});
      Poll poll = new Poll(() -> 0).with(clock);
      try (StoreConnection connection = new Connector(source, Dialect.POSTGRESQL).connect()) {
        connection.autoCommit(true);
        poll.ask(connection);
        assertThat(clock.steps().count()).isZero();
        schema.execute(
            "SELECT setval('test_clock', " + (TestCommands.START_MILLIS + ELEVEN_MINUTES) + ")");
        poll.ask(connection);
      }
      assertThat(clock.steps().last().orElseThrow().millis()).isEqualTo(ELEVEN_MINUTES - 1);
    }
  }
}
