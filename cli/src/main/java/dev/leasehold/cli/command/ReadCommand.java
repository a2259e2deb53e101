package dev.leasehold.cli.command;

import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.Diagnostics;
import java.util.Optional;
import java.util.function.Function;

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

  /**
   * Prints a listing page by page. A reader such as head, which closes its input early, ends it.
   *
   * @param printing prints the page of a query, and returns the query of the next page
   */
  protected <Q> Exit printPages(Q first, Function<Q, Optional<Q>> printing) {
    Optional<Q> query = Optional.of(first);
    while (query.isPresent() && !context.out().checkError()) {
      query = printing.apply(query.get());
    }
    return Exit.DONE;
  }
}
