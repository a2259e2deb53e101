package dev.leasehold.server;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteObjectApiTest extends ObjectApiContract {
  @TempDir private Path folder;
  private final List<JdbcStore> opened = new ArrayList<>();

  @Override
  LeaseholdServer start() {
    JdbcStore store = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
    opened.add(store);
    return LeaseholdServer.on(store).start();
  }

  @Override
  ObjectStore objects() {
    return opened.getFirst().objects();
  }

  @AfterEach
  void closeStore() {
    opened.forEach(JdbcStore::close);
  }
}
