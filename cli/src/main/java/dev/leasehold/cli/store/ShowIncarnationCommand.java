package dev.leasehold.cli.store;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.StoreFacts;
import dev.leasehold.store.jdbc.Diagnostics;
import dev.leasehold.store.jdbc.StoreIdentity;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code incarnation show}: the identity of the store and its incarnation. */
@Command(
    name = "show",
    description = "Show the store's id, its incarnation, and whether it grants yet.",
    footer = {"", "Example:", "  leasehold incarnation show --store sqlite:leases.db"})
public final class ShowIncarnationCommand extends StoreCommand {
  public ShowIncarnationCommand(CommandContext context) {
    super(context);
  }

  /** Opens a store that was rolled back, because an operator looks at it before advancing it. */
  @Override
  protected LeasePlace place() {
    return options.storePlace(context, "to show the incarnation needs").openedEvenIfRolledBack();
  }

  @Override
  protected Exit run(Store store) {
    Diagnostics kept = store.require(Diagnostics.class, "facts to show");
    StoreIdentity identity = StoreCalls.await(kept.identity());
    String heldOff =
        identity.holdOffMillis() == 0
            ? ""
            : "; nothing is granted for another " + Values.text(identity.holdOffMillis());
    String refused = kept.refusal().map(why -> System.lineSeparator() + why).orElse("");
    return print(
        new CommandResult(
            Exit.DONE,
            out -> write(out, identity, kept.refusal()),
            "store "
                + identity.storeId()
                + " is at incarnation "
                + identity.incarnation()
                + heldOff
                + refused));
  }

  private static void write(JsonOut out, StoreIdentity identity, Optional<String> refusal) {
    StoreFacts.writeIdentity(
        out, identity.storeId(), identity.incarnation(), identity.holdOffMillis());
    out.text("refusal", refusal);
  }
}
