package dev.leasehold.cli;

import dev.leasehold.cli.config.Setting;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.JdbcStoreBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where a store is, and what may be done to its schema on the way in.
 *
 * @param data where it is kept what was seen of the store
 * @param evenIfRolledBack whether a store that has gone back to an earlier state is opened, too
 */
record StorePlace(String url, Schema schema, Optional<Path> data, boolean evenIfRolledBack)
    implements LeasePlace {
  /** Whether a command brings the schema up to date by itself. */
  enum Schema {
    AUTO,
    CHECK;

    static Schema of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** A database that need not have leases in it. */
  static StorePlace ofDatabase(String url) {
    return new StorePlace(url, Schema.CHECK, Optional.empty(), false);
  }

  /** What a server serves that was told of no store. */
  static String servedIn(String data) {
    return "sqlite:" + data + "/leases.db";
  }

  boolean isMemory() {
    return url.equals("memory:");
  }

  @Override
  public StorePlace openedEvenIfRolledBack() {
    return new StorePlace(url, schema, data, true);
  }

  @Override
  public Map<String, String> variables(Path folder) {
    return Map.of(Setting.STORE.variable(), Setting.STORE.from(folder.toAbsolutePath(), url));
  }

  /** For whoever looks and leaves everything as it is, whatever is wrong. */
  StorePlace untouched() {
    return new StorePlace(url, Schema.CHECK, data.filter(Files::isDirectory), true);
  }

  JdbcStoreBuilder builder() {
    JdbcStoreBuilder builder = JdbcLeaseStore.at(url);
    data.ifPresent(builder::witness);
    return evenIfRolledBack ? builder.evenIfRolledBack() : builder;
  }

  @Override
  public LeaseStore open() {
    if (isMemory()) {
      return new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
    }
    return schema == Schema.AUTO ? builder().migrate().open() : builder().open();
  }
}
