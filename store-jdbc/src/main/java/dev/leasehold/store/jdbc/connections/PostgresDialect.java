package dev.leasehold.store.jdbc.connections;

import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** A PostgreSQL server, and for {@link CockroachDialect} what it has of one. */
class PostgresDialect extends Dialect {
  private static final int OLDEST_POSTGRESQL = 13;
  private static final int NUMBERS_PER_MAJOR = 10_000;

  PostgresDialect() {
    super("postgresql", "shared");
  }

  PostgresDialect(String folder, String... others) {
    super(folder, others);
  }

  @Override
  boolean isMeantBy(String url) {
    return url.startsWith("jdbc:postgresql:");
  }

  @Override
  boolean isAt(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
  }

  @Override
  String title() {
    return "PostgreSQL";
  }

  @Override
  public String driverArtifact() {
    return "org.postgresql:postgresql";
  }

  @Override
  public String jdbcUrl(String url) {
    return url;
  }

  @Override
  public Class<?> driverConnection() {
    return PGConnection.class;
  }

  @Override
  public boolean hasWritesInArrays() {
    return true;
  }

  @Override
  public boolean hasSearchPath() {
    return true;
  }

  @Override
  public boolean migratesInTransaction() {
    return true;
  }

  @Override
  public boolean tellsLockHolders() {
    return true;
  }

  @Override
  public ChangeTravel changeTravel() {
    return ChangeTravel.BY_NOTIFICATION;
  }

  @Override
  public Guarding guarding() {
    return Guarding.BY_PROCEDURE;
  }

  @Override
  void prepare(StoreConnection connection) throws SQLException {
    connection.boundSilence();
    connection.refuseSavepoints();
  }

  @Override
  public void requireSafe(StoreConnection connection) throws SQLException {
    int isolation = connection.jdbc().getTransactionIsolation();
    refuseIf(
        isolation != Connection.TRANSACTION_READ_COMMITTED
            && isolation != Connection.TRANSACTION_SERIALIZABLE,
        "the connections are neither at READ COMMITTED nor at SERIALIZABLE: set"
            + " default_transaction_isolation, or the pool's, to one of them");
    boolean unused =
        connection.query(
            rows -> {
              if (rows.next()) {
                requireVersion(rows.getInt(1));
                refuseIf(
                    rows.getBoolean(2),
                    "the database is a read replica: point the store at the primary");
                refuseIf(
                    rows.getString(3).equals("on"),
                    "transactions are read-only here (default_transaction_read_only): point the"
                        + " store at the primary, as a user who may write");
                refuseIf(
                    rows.getString(4).equals("off"),
                    "fsync is off, so a crash of the server may forget who holds what: set fsync ="
                        + " on in postgresql.conf");
                refuseIf(
                    rows.getString(5).equals("off"),
                    "synchronous_commit is off, so a crash of the server may forget who holds what:"
                        + " set it to on for this user, database or URL");
              }
              return true;
            },
            "settings");
  }

  private static void requireVersion(int number) {
    refuseIf(
        number < OLDEST_POSTGRESQL * NUMBERS_PER_MAJOR,
        "the server is PostgreSQL "
            + number / NUMBERS_PER_MAJOR
            + ", leases need "
            + OLDEST_POSTGRESQL
            + " or newer: upgrade it");
  }

  static void refuseIf(boolean unsafe, String sentence) {
    if (unsafe) {
      throw new StoreUnusableException(sentence);
    }
  }

  @Override
  public DatabaseFacts.Settings settings(StoreConnection connection) throws SQLException {
    return connection.query(
        rows -> {
          if (!rows.next()) {
            throw new StoreUnusableException("PostgreSQL does not say how it is set up");
          }
          return new DatabaseFacts.Postgres(
              rows.getBoolean(2),
              rows.getString(3).equals("on"),
              rows.getString(4),
              rows.getString(5),
              rows.getString(6));
        },
        "settings");
  }
}
