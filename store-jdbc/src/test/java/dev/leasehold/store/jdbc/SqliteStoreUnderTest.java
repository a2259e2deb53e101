package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.files.QuickFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.sqlite.Function;
import org.sqlite.SQLiteDataSource;

/** A file of its own, whose connections read the time that the test has set. */
final class SqliteStoreUnderTest extends TwoHandles {
  private final Path folder;
  private final AtomicLong clock;

  SqliteStoreUnderTest(long startMillis) {
    this.clock = new AtomicLong(startMillis);
    try {
      folder = QuickFolders.make("leasehold-sqlite");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    JdbcStore unused = jdbc();
  }

  @Override
  JdbcStore openStore() {
    return JdbcStore.on(new ClockedSource(folder.resolve("leases.db"), clock))
        .leaveHousekeepingToOthers()
        .migrate()
        .open();
  }

  @Override
  Connection connect() throws SQLException {
    return new ClockedSource(folder.resolve("leases.db"), clock).getConnection();
  }

  /** Redefines SQLite's clock on each connection. */
  private static final class ClockedSource extends SQLiteDataSource {
    private static final long serialVersionUID = 1L;
    private final transient AtomicLong clock;

    ClockedSource(Path file, AtomicLong clock) {
      setUrl("jdbc:sqlite:" + file);
      this.clock = clock;
    }

    @Override
    public org.sqlite.SQLiteConnection getConnection(String user, String password)
        throws SQLException {
      org.sqlite.SQLiteConnection connection = super.getConnection(user, password);
      Function.create(
          connection,
          "unixepoch",
          new Function() {
            @Override
            protected void xFunc() throws SQLException {
              result(clock.get() / 1000.0);
            }
          });
      return connection;
    }
  }

  /** How many rows a table has. */
  int count(String table) {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("leases.db"));
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void setClock(long epochMillis) {
    clock.set(epochMillis);
  }

  @Override
  public void close() {
    closeStores();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
