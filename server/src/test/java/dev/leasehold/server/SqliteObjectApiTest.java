package dev.leasehold.server;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteObjectApiTest extends ObjectApiContract {
  @TempDir private Path folder;
  private JdbcLeaseStore store;

  @Override
  LeaseholdServer start() {
    store = JdbcLeaseStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
    return LeaseholdServer.on(store).start();
  }

  @Override
  ObjectStore objects() {
    return store.objects();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }
}
