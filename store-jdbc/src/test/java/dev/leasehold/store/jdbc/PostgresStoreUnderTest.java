package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A schema of its own on a real server, with a clock that the test sets: it shows the value of a
 * sequence, which every session sees at once, in any snapshot.
 */
final class PostgresStoreUnderTest extends TwoHandles {
  private final Dialect dialect;
  private final String isolation;
  private final String driverOptions;
  private final MigratedSchema migrated;

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
    this.migrated = MigratedSchema.of(dialect, startMillis);
    setClock(startMillis);
    JdbcStore unused = jdbc();
  }

  /** How many rows a table has. */
  int count(String table) {
    try {
      return Integer.parseInt(migrated.schema().value("SELECT count(*) FROM " + table));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  JdbcStore openStore() {
    return MigratedSchema.patiently(
        () ->
            JdbcStore.at(url())
                .dialect(dialect)
                .limits(Dialect.POSTGRESQL.limits())
                .leaveHousekeepingToOthers()
                .migrate()
                .open());
  }

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  private String url() {
    return migrated.url("-c default_transaction_isolation=" + isolation) + driverOptions;
  }

  @Override
  public synchronized void setClock(long epochMillis) {
    migrated.setClock(epochMillis);
  }

  @Override
  public void close() {
    closeStores();
    migrated.close();
  }
}
