package dev.leasehold.store.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Leaders on a file. */
class SqliteElectionTest extends ElectionContract {
  @TempDir Path folder;

  @Override
  JdbcStore openStore() {
    return JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
  }
}
