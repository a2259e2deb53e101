package dev.leasehold.cli.place;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.JdbcStoreBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where a store is, and whether its schema may be changed when it is opened.
 *
 * @param data the folder that keeps what was seen of the store
 * @param evenIfRolledBack whether a store that has gone back to an earlier state is opened, too
 */
public record StorePlace(String url, Schema schema, Optional<Path> data, boolean evenIfRolledBack)
    implements LeasePlace {
  /** Whether a command migrates the schema. */
  public enum Schema {
    AUTO,
    CHECK;

    public static Schema of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** A database that may have no leases yet. */
  public static StorePlace ofDatabase(String url) {
    return new StorePlace(url, Schema.CHECK, Optional.empty(), false);
  }

  /** The default store of a server. */
  public static String servedIn(String data) {
    return "sqlite:" + data + "/leases.db";
  }

  public boolean isMemory() {
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

  /** For a command that only looks: it opens the store in any state and changes nothing. */
  public StorePlace untouched() {
    return new StorePlace(url, Schema.CHECK, data.filter(Files::isDirectory), true);
  }

  public JdbcStoreBuilder builder() {
    JdbcStoreBuilder builder = JdbcStore.at(url);
    data.ifPresent(builder::witness);
    return evenIfRolledBack ? builder.evenIfRolledBack() : builder;
  }

  @Override
  public Store open() {
    if (isMemory()) {
      return MemoryStore.open();
    }
    return schema == Schema.AUTO ? builder().migrate().open() : builder().open();
  }
}
