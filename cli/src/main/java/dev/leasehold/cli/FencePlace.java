package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.remote.RemoteLeaseStore;
import dev.leasehold.store.jdbc.Guards;
import dev.leasehold.store.jdbc.JdbcLeaseStore;

/** Where tables can be guarded: in the database of the leases. */
final class FencePlace {
  private FencePlace() {}

  static Guards guards(LeaseStore store) {
    if (store instanceof JdbcLeaseStore kept) {
      return kept.guards();
    }
    if (store instanceof RemoteLeaseStore) {
      throw new CommandFailedException(
          Exit.USAGE,
          "a table is guarded in its own database, and not through a server: use --store URL");
    }
    throw new CommandFailedException(
        Exit.USAGE, "a store in memory has no tables: fences are in a database");
  }
}
