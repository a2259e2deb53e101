package dev.leasehold.cli.command;

import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.Diagnostics;

/**
 * A command that changes nothing. It also opens a store that has gone back to an earlier state,
 * because that is when an operator needs it, and prints a warning about it.
 */
public abstract class ReadCommand extends StoreCommand {
  protected ReadCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected final LeasePlace place() {
    return super.place().openedEvenIfRolledBack();
  }

  @Override
  protected final Exit run(Store store) {
    store
        .part(Diagnostics.class)
        .flatMap(Diagnostics::refusal)
        .ifPresent(why -> context.err().println("leasehold: warning: " + why));
    return read(store);
  }

  protected abstract Exit read(Store store);
}
