package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A schema of its own on a real server, with a clock that stands where the test sets it: a function
 * that comes before the server's own in the search path, and shows what a sequence says. A sequence
 * is seen at once by everybody, whatever snapshot they have.
 */
final class PostgresStoreUnderTest implements StoreUnderTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String schema = "leasehold_test_" + NUMBER.incrementAndGet();
  private final Dialect dialect;
  private final String isolation;
  private final Connection admin;
  private final LeaseStore store;
  private Optional<LeaseStore> other = Optional.empty();

  PostgresStoreUnderTest(long startMillis, Dialect dialect, String isolation) {
    this.dialect = dialect;
    this.isolation = isolation;
    try {
      admin = DriverManager.getConnection(PostgresServer.url());
      execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
      execute("CREATE SCHEMA " + schema);
      execute("CREATE SEQUENCE " + schema + ".test_clock MINVALUE 0");
      execute(
          """
          CREATE FUNCTION SCHEMA.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
          'SELECT to_timestamp(0) + last_value * interval ''1 millisecond'' FROM SCHEMA.test_clock'
          """
              .replace("SCHEMA", schema));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    setClock(startMillis);
    if (dialect == Dialect.COCKROACHDB) {
      createAsOnCockroach();
    }
    store = openStore();
  }

  /** Column families are all that PostgreSQL does not know of CockroachDB's schema. */
  private void createAsOnCockroach() {
    String script =
        new Migrations(Dialect.COCKROACHDB)
            .text()
            .replaceAll("(?m)^ *--.*$", "")
            .replaceAll(",\\s*FAMILY \\w+ \\([^)]*\\)", "");
    try {
      execute("SET search_path = " + schema + ", pg_catalog");
      execute(script);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = admin.createStatement()) {
      statement.execute(sql);
    }
  }

  /** How many rows a table has. */
  int count(String table) {
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + schema + "." + table)) {
      return rows.next() ? rows.getInt(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private LeaseStore openStore() {
    String options =
        "-c search_path=" + schema + ",pg_catalog -c default_transaction_isolation=" + isolation;
    String url =
        PostgresServer.url()
            + "&options="
            + options.replace(" ", "%20").replace("=", "%3D").replace(",", "%2C");
    // The tables are there by now, and the rest of a migration is the same for both.
    if (dialect == Dialect.COCKROACHDB) {
      JdbcLeaseStore.at(url).migrate().open().close();
      forgetPostgres();
    }
    return JdbcLeaseStore.at(url)
        .dialect(dialect)
        .limits(Dialect.POSTGRESQL.limits())
        .migrate()
        .open();
  }

  /** CockroachDB does not say which cluster it is. */
  private void forgetPostgres() {
    try {
      execute("UPDATE " + schema + ".leasehold_store SET system_id = '', timeline = 0");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public LeaseStore store() {
    return store;
  }

  @Override
  public synchronized LeaseStore another() {
    if (other.isEmpty()) {
      other = Optional.of(openStore());
    }
    return other.get();
  }

  @Override
  public synchronized void setClock(long epochMillis) {
    try {
      execute("SELECT setval('" + schema + ".test_clock', " + epochMillis + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    store.close();
    other.ifPresent(LeaseStore::close);
    try {
      execute("DROP SCHEMA " + schema + " CASCADE");
      admin.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
