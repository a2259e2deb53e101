package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.effects.Guards;

/** A command on the guards of tables in the database of the leases. */
abstract class FenceStoreCommand extends StoreCommand {
  FenceStoreCommand(CommandContext context) {
    super(context);
  }

  abstract Exit run(Guards guards);

  @Override
  protected final LeasePlace place() {
    return options.storePlace(context, "tables are guarded in");
  }

  @Override
  protected final Exit run(Store store) {
    return run(store.require(Guards.class, "tables to guard"));
  }
}
