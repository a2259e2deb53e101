package dev.leasehold.cli;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.JdbcStoreBuilder;
import java.time.InstantSource;

/** Where a store is, and what may be done to its schema on the way in. */
record StorePlace(String url, Schema schema) {
  /** Whether a command brings the schema up to date by itself. */
  enum Schema {
    AUTO,
    CHECK
  }

  boolean isMemory() {
    return url.equals("memory:");
  }

  JdbcStoreBuilder builder() {
    return JdbcLeaseStore.at(url);
  }

  LeaseStore open() {
    if (isMemory()) {
      return new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
    }
    return schema == Schema.AUTO ? builder().migrate().open() : builder().open();
  }
}
