package dev.leasehold.server;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteLeaseApiTest extends LeaseApiContract {
  @TempDir private Path folder;
  private final List<LeaseStore> opened = new ArrayList<>();

  @Override
  LeaseStore store() {
    LeaseStore store = JdbcLeaseStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
    opened.add(store);
    return store;
  }

  @AfterEach
  void closeStore() {
    opened.forEach(LeaseStore::close);
  }
}
