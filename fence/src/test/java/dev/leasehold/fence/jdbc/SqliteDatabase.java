package dev.leasehold.fence.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A file of its own, with every commit on disk. */
final class SqliteDatabase implements TargetDatabase {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final String url;

  SqliteDatabase(Path folder) throws SQLException {
    url = "jdbc:sqlite:" + folder.resolve("target.db");
    create();
  }

  @Override
  public DataSource source() {
    return waiting(TIMEOUT_MILLIS);
  }

  /** A source whose connections wait this long for the write lock. */
  DataSource waiting(int millis) {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url);
    source.setJournalMode("WAL");
    source.setSynchronous("FULL");
    source.setBusyTimeout(millis);
    return source;
  }

  @Override
  public void close() {
    // The test deletes the file with its folder.
  }
}
