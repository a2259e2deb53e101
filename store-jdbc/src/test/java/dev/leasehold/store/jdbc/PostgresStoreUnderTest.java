package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.opening.Migrations;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A schema of its own on a real server, with a clock that stands where the test sets it: it shows
 * what a sequence says. A sequence is seen at once by everybody, whatever snapshot they have.
 */
final class PostgresStoreUnderTest extends TwoHandles {
  private static final int MOST_OPENINGS = 20;

  private final Dialect dialect;
  private final boolean onCluster;
  private final String isolation;
  private final String driverOptions;
  private final Schema schema;

  PostgresStoreUnderTest(long startMillis, Dialect dialect, String isolation) {
    this(startMillis, dialect, isolation, "");
  }

  /**
   * @param driverOptions for the end of the URL, as in {@code &autosave=always}
   */
  PostgresStoreUnderTest(
      long startMillis, Dialect dialect, String isolation, String driverOptions) {
    this.dialect = dialect;
    this.isolation = isolation;
    this.driverOptions = driverOptions;
    this.onCluster = dialect == Dialect.COCKROACHDB && PostgresServer.cluster().isPresent();
    this.schema = onCluster ? new Schema(PostgresServer.cluster().get()) : new Schema();
    try {
      makeClock();
      setClock(startMillis);
      if (dialect == Dialect.COCKROACHDB && !onCluster) {
        createAsOnCockroach();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    if (onCluster) {
      requireThatTheClockIsSet(startMillis);
    }
    LeaseStore unused = store();
  }

  private void makeClock() throws SQLException {
    schema.execute("CREATE SEQUENCE test_clock MINVALUE 0");
    if (dialect == Dialect.COCKROACHDB) {
      schema.execute(
          """
          CREATE FUNCTION clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
          'SELECT to_timestamp(0) + last_value * interval ''1 millisecond'' FROM test_clock'
          """);
    } else {
      PostgresServer.letClockBeSet();
    }
  }

  /** CockroachDB may find its own function first, and then a test cannot tell it the time. */
  private void requireThatTheClockIsSet(long millis) {
    String now;
    try {
      now = schema.value(Dialect.COCKROACHDB.sql().get("clock"));
    } catch (SQLException e) {
      now = String.valueOf(e.getMessage());
    }
    if (!now.equals(String.valueOf(millis))) {
      close();
      Assumptions.abort("the clock of this cluster cannot be set by a function; it says " + now);
    }
  }

  /** Column families are all that PostgreSQL does not know of CockroachDB's schema. */
  private void createAsOnCockroach() throws SQLException {
    schema.execute(
        new Migrations(Dialect.COCKROACHDB)
            .text()
            .replaceAll("(?m)^ *--.*$", "")
            .replaceAll(",\\s*FAMILY \\w+ \\([^)]*\\)", ""));
    // The tables are there by now, and the rest of a migration is the same for both.
    List<String> unused = JdbcLeaseStore.at(url()).schema(StoreSchema::apply);
    // No trigger there makes up for a floor that a purge forgets.
    schema.execute(
        "DROP TRIGGER leasehold_keep_floor ON leasehold_lease;"
            + " DROP TRIGGER leasehold_keep_object_floor ON leasehold_object");
    // CockroachDB does not say which cluster it is.
    schema.execute("UPDATE leasehold_store SET system_id = '', timeline = 0");
  }

  /** How many rows a table has. */
  int count(String table) {
    try {
      return Integer.parseInt(schema.value("SELECT count(*) FROM " + table));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** On a busy machine a store may take longer to make its tables than a process would wait. */
  @Override
  LeaseStore openStore() {
    for (int left = MOST_OPENINGS; true; left--) {
      try {
        return open();
      } catch (StoreUnusableException e) {
        if (left == 0 || !String.valueOf(e.getMessage()).contains("did not answer within")) {
          throw e;
        }
      }
    }
  }

  private LeaseStore open() {
    return JdbcLeaseStore.at(url())
        .dialect(dialect)
        .limits(Dialect.POSTGRESQL.limits())
        .leaveHousekeepingToOthers()
        .migrate()
        .open();
  }

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  private String url() {
    return schema.url(
            "-c default_transaction_isolation="
                + isolation
                + " -c test.clock="
                + schema.name()
                + ".test_clock")
        + driverOptions;
  }

  @Override
  public synchronized void setClock(long epochMillis) {
    try {
      schema.execute("SELECT setval('test_clock', " + epochMillis + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    closeStores();
    schema.close();
  }
}
