package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.effects.Guards;

/** A command on the guards before tables, which are in the database of the leases. */
abstract class FenceStoreCommand extends StoreCommand {
  FenceStoreCommand(Surroundings surroundings) {
    super(surroundings);
  }

  abstract Exit run(Guards guards);

  @Override
  final LeasePlace place() {
    return options.storePlace(surroundings, "tables are guarded in");
  }

  @Override
  final Exit run(LeaseStore store) {
    if (store instanceof JdbcLeaseStore kept) {
      return run(kept.guards());
    }
    throw new CommandFailedException(
        Exit.USAGE, "a store in memory has no tables: fences are in a database");
  }
}
