package dev.leasehold.server;

import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteLeaseApiTest extends LeaseApiContract {
  @TempDir private Path folder;
  private final List<Store> opened = new ArrayList<>();

  @Override
  Store store() {
    Store store = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
    opened.add(store);
    return store;
  }

  @AfterEach
  void closeStore() {
    opened.forEach(Store::close);
  }
}
