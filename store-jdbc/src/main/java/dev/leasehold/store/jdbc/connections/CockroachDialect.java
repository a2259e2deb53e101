package dev.leasehold.store.jdbc.connections;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** A CockroachDB cluster: it speaks PostgreSQL's protocol, and says who it is when asked. */
final class CockroachDialect extends PostgresDialect {
  private static final String SCHEME = "jdbc:cockroachdb:";

  /** Its clocks may be apart by the cluster's maximum offset, 500 ms unless it was changed. */
  private static final Limits LIMITS =
      new Limits(500, Limits.MIN_MEMORY_MILLIS, Limits.SINGLE_NODE.endingsKept());

  CockroachDialect() {
    super("cockroachdb", "postgresql", "shared");
  }

  @Override
  boolean isMeantBy(String url) {
    return url.startsWith(SCHEME);
  }

  @Override
  boolean isAt(Connection connection) throws SQLException {
    if (!super.isAt(connection)) {
      return false;
    }
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_catalog.version()")) {
      return row.next() && row.getString(1).startsWith(title());
    }
  }

  @Override
  String title() {
    return "CockroachDB";
  }

  @Override
  public String jdbcUrl(String url) {
    return "jdbc:postgresql:" + url.substring(SCHEME.length());
  }

  @Override
  public Limits limits() {
    return LIMITS;
  }

  @Override
  public boolean hasWritesInArrays() {
    return false;
  }

  @Override
  public boolean hasSearchPath() {
    return false;
  }

  /**
   * Each step can be repeated, so a process that is interrupted, or meets another, starts again.
   */
  @Override
  public boolean migratesInTransaction() {
    return false;
  }

  @Override
  public boolean tellsLockHolders() {
    return false;
  }

  /** Until row leases were run on a cluster. */
  @Override
  public boolean hasRowLeases() {
    return false;
  }

  @Override
  public ChangeTravel changeTravel() {
    return ChangeTravel.BY_TIME;
  }

  @Override
  public Guarding guarding() {
    return Guarding.NOT_AT_ALL;
  }

  /** Below that, what a statement has read there may have changed before it commits. */
  @Override
  public void requireSafe(StoreConnection connection) throws SQLException {
    refuseIf(
        connection.jdbc().getTransactionIsolation() != Connection.TRANSACTION_SERIALIZABLE,
        "the connections are not at SERIALIZABLE, which leases need on CockroachDB and which is its"
            + " default: set default_transaction_isolation, or the pool's, back to it");
  }

  @Override
  public String product(DatabaseMetaData data) {
    return title();
  }

  @Override
  public DatabaseFacts.Settings settings(StoreConnection connection) {
    return new DatabaseFacts.Cockroach();
  }
}
