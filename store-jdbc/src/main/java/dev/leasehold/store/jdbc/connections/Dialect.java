package dev.leasehold.store.jdbc.connections;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One kind of database that leases can be stored in: where its statements are, and what it can do.
 * The rest of the store asks these questions, and never which database it is. Another kind is one
 * more class, its line in {@link #ALL}, and its {@code .sql} files; decision 30 says how each
 * question is to be answered.
 *
 * <p>The default answer of each question is the weaker one, so a database with few abilities
 * overrides little.
 */
@SuppressWarnings("ClassInitializationDeadlock") // the subclasses are reached through this one only
public abstract class Dialect {
  public static final Dialect SQLITE = new SqliteDialect();
  public static final Dialect POSTGRESQL = new PostgresDialect();
  public static final Dialect COCKROACHDB = new CockroachDialect();

  private static final List<Dialect> ALL = List.of(SQLITE, COCKROACHDB, POSTGRESQL);

  /** How changes reach the other processes that have the store open. */
  public enum ChangeTravel {
    /** In a table, in the transaction that makes them; a sequence number marks the new ones. */
    WITH_COMMITS,
    /** In a table, in a transaction of their own; a time marks the new ones. */
    BY_TIME,
    /** By notifications of the database. */
    BY_NOTIFICATION
  }

  /** How a user's table is guarded. */
  public enum Guarding {
    NOT_AT_ALL,
    /** By triggers whose text is filled in here; a row names the claims that a change brings. */
    BY_TEXT,
    /** By a procedure of the store; the transaction's settings name the claims that it brings. */
    BY_PROCEDURE
  }

  private final String folder;
  private final Sql sql;

  /** Statements are looked for in {@code folder} first; it also has the migrations. */
  Dialect(String folder, String... others) {
    this.folder = folder;
    this.sql = new Sql(Stream.concat(Stream.of(folder), Stream.of(others)).toList());
  }

  public final String folder() {
    return folder;
  }

  public final Sql sql() {
    return sql;
  }

  @Override
  public final String toString() {
    return folder;
  }

  /** By its URL, for people and for the driver. */
  public static Dialect ofUrl(String url) {
    return ALL.stream()
        .filter(dialect -> dialect.isMeantBy(url))
        .findFirst()
        .orElseThrow(
            () ->
                new IllFormedException(
                    "no store is known by this URL: it must start with sqlite:, jdbc:postgresql: or"
                        + " jdbc:cockroachdb:, or on the command line be memory:"
                        + meant(url)));
  }

  /**
   * Suggests the right form of a URL that is written as for other tools. The message does not
   * repeat the URL, which may contain a password.
   */
  private static String meant(String url) {
    if (url.startsWith("postgres:") || url.startsWith("postgresql:")) {
      return "; for PostgreSQL write jdbc:postgresql://HOST/DATABASE?user=NAME&password=SECRET";
    }
    if (url.startsWith("cockroachdb:")) {
      return "; for CockroachDB write jdbc:cockroachdb://HOST/DATABASE?user=NAME&password=SECRET";
    }
    return url.matches("[A-Za-z][A-Za-z0-9+.-]+:.*") ? "" : "; for a file write sqlite:PATH";
  }

  /** The dialect of the database that a connection leads to. */
  public static Dialect of(Connection connection) throws SQLException {
    for (Dialect dialect : ALL) {
      if (dialect.isAt(connection)) {
        return dialect;
      }
    }
    throw new IllFormedException(
        "leases can live on "
            + ALL.stream().map(Dialect::title).collect(Collectors.joining(", "))
            + ", not on "
            + connection.getMetaData().getDatabaseProductName());
  }

  abstract boolean isMeantBy(String url);

  abstract boolean isAt(Connection connection) throws SQLException;

  /** Its name, for people. */
  abstract String title();

  /** The artifact that must be on the class path. */
  public abstract String driverArtifact();

  /** The URL that the driver takes. */
  public abstract String jdbcUrl(String url);

  /** The driver's own class of connections, which a pool wraps again on each use. */
  public abstract Class<?> driverConnection();

  public Limits limits() {
    return Limits.SINGLE_NODE;
  }

  /**
   * Whether a store is a file on this machine: opened in this process, and possibly removed or
   * replaced by another one.
   */
  public boolean isFile() {
    return false;
  }

  /** The file that a URL names, if a store is a file. */
  public Optional<Path> file(String url) {
    return Optional.empty();
  }

  /**
   * Whether one transaction at a time can write. Then writing transactions take turns in one queue
   * and begin with the write lock, and a change at effect delays the renewals.
   */
  public boolean hasOneWriter() {
    return false;
  }

  /** Whether a parameter of a statement can be an array. */
  public boolean hasArrays() {
    return true;
  }

  /** Whether several statements can be sent as one, each with its own answer. */
  public boolean takesManyStatements() {
    return true;
  }

  /** Whether one statement can write many rows and remember the values that they replace. */
  public boolean hasWritesInArrays() {
    return false;
  }

  /** Whether names are resolved along a path of schemas, where others may create objects. */
  public boolean hasSearchPath() {
    return false;
  }

  /** Whether a schema can be changed and used in one transaction. */
  public boolean migratesInTransaction() {
    return false;
  }

  /** Whether a failure, such as a full disk, may end a transaction unnoticed by the driver. */
  public boolean endsTransactionsByItself() {
    return false;
  }

  /** Whether a failed check in a user's transaction prevents its commit. */
  public boolean abortsOnFailure() {
    return true;
  }

  /** Whether the database reports which transactions have a row locked. */
  public boolean tellsLockHolders() {
    return false;
  }

  /** Whether blocks whose rows are leased are offered on this database. */
  public boolean hasRowLeases() {
    return true;
  }

  public abstract ChangeTravel changeTravel();

  public Guarding guarding() {
    return Guarding.NOT_AT_ALL;
  }

  /** Prepares a new connection for the store's use. */
  abstract void prepare(StoreConnection connection) throws SQLException;

  /** Refuses a database in which leases would not be safe. */
  public abstract void requireSafe(StoreConnection connection) throws SQLException;

  /** Its name and version, for people. */
  public String product(DatabaseMetaData data) throws SQLException {
    return data.getDatabaseProductName() + " " + data.getDatabaseProductVersion();
  }

  /** Those settings of the database that matter for leases. */
  public abstract DatabaseFacts.Settings settings(StoreConnection connection) throws SQLException;
}
