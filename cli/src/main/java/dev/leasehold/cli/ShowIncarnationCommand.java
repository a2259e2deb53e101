package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.StoreIdentity;
import picocli.CommandLine.Command;

/** {@code incarnation show}: which store this is, and where it stands. */
@Command(
    name = "show",
    description = "Show the store's id, its incarnation, and whether it grants yet.",
    footer = {"", "Example:", "  leasehold incarnation show --store sqlite:leases.db"})
final class ShowIncarnationCommand extends StoreCommand {
  ShowIncarnationCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** Whoever is to advance it looks first. */
  @Override
  LeasePlace place() {
    return options
        .storePlace(surroundings, "to show the incarnation needs")
        .openedEvenIfRolledBack();
  }

  @Override
  Exit run(LeaseStore store) {
    if (!(store instanceof JdbcLeaseStore kept)) {
      throw new CommandFailedException(
          Exit.USAGE, "a store in memory ends with this command: there is nothing to show of it");
    }
    StoreIdentity identity = Asking.await(kept.identity());
    String heldOff =
        identity.holdOffMillis() == 0
            ? ""
            : "; nothing is granted for another " + Values.text(identity.holdOffMillis());
    Json json =
        new Json()
            .with("storeId", identity.storeId())
            .with("incarnation", identity.incarnation())
            .with("holdOffMs", identity.holdOffMillis());
    kept.refusal().ifPresent(why -> json.with("refusal", why));
    String refused = kept.refusal().map(why -> System.lineSeparator() + why).orElse("");
    return print(
        new Answer(
            Exit.DONE,
            json,
            "store "
                + identity.storeId()
                + " is at incarnation "
                + identity.incarnation()
                + heldOff
                + refused));
  }
}
