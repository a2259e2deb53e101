package dev.leasehold.store.jdbc.connections;

import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** A SQLite file. */
final class SqliteDialect extends Dialect {
  private static final String DRIVERS = "jdbc:sqlite:";

  SqliteDialect() {
    super("sqlite", "shared");
  }

  @Override
  boolean isMeantBy(String url) {
    return url.startsWith("sqlite:") || url.startsWith(DRIVERS);
  }

  @Override
  boolean isAt(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().equals(title());
  }

  @Override
  String title() {
    return "SQLite";
  }

  @Override
  public String driverArtifact() {
    return "org.xerial:sqlite-jdbc";
  }

  @Override
  public String jdbcUrl(String url) {
    return url.startsWith("jdbc:") ? url : "jdbc:" + url;
  }

  @Override
  public Class<?> driverConnection() {
    return Connection.class;
  }

  @Override
  public boolean isFile() {
    return true;
  }

  @Override
  public Optional<Path> file(String url) {
    String name = jdbcUrl(url).substring(DRIVERS.length()).replaceFirst("^file:", "");
    return Optional.of(Path.of(name.split("[?]", 2)[0]));
  }

  @Override
  public boolean hasOneWriter() {
    return true;
  }

  @Override
  public boolean hasArrays() {
    return false;
  }

  @Override
  public boolean takesManyStatements() {
    return false;
  }

  @Override
  public boolean migratesInTransaction() {
    return true;
  }

  @Override
  public boolean endsTransactionsByItself() {
    return true;
  }

  @Override
  public boolean abortsOnFailure() {
    return false;
  }

  @Override
  public ChangeTravel changeTravel() {
    return ChangeTravel.WITH_COMMITS;
  }

  @Override
  public Guarding guarding() {
    return Guarding.BY_TEXT;
  }

  /** The settings hold for one connection, except for the journal mode, which the file keeps. */
  @Override
  void prepare(StoreConnection connection) throws SQLException {
    boolean unused = connection.query(ResultSet::next, "busy-timeout");
    connection.update("page-size");
    String mode = connection.query(rows -> rows.next() ? rows.getString(1) : "", "journal-mode");
    if (!mode.equals("wal")) {
      throw new StoreUnusableException(
          "SQLite cannot keep a write-ahead log here (its journal mode stays '"
              + mode
              + "'): leases need a file of their own on a local disk, as in sqlite:leases.db");
    }
    connection.update("synchronous");
  }

  /** An immediate transaction also succeeds on a read-only file; a write does not. */
  @Override
  public void requireSafe(StoreConnection connection) throws SQLException {
    connection.update("begin");
    try {
      connection.update("try-to-write");
    } catch (SQLException e) {
      if (Failures.isReadOnlyFile(e)) {
        throw new StoreUnusableException(
            "the SQLite file can only be read: open it with the right to write", e);
      }
      throw e;
    } finally {
      connection.update("rollback");
    }
  }

  @Override
  public DatabaseFacts.Settings settings(StoreConnection connection) throws SQLException {
    return new DatabaseFacts.Sqlite(
        connection.query(rows -> rows.next() ? rows.getString(1) : "", "journal-mode-now"),
        connection.query(rows -> rows.next() ? rows.getInt(1) : 0, "synchronous-now"));
  }
}
