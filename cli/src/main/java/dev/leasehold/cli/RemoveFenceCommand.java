package dev.leasehold.cli;

import dev.leasehold.store.jdbc.effects.Guards;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fence remove}: takes a guard away. */
@Command(
    name = "remove",
    description = "Take everything away that a guard has put before a table.",
    footer = {"", "Example:", "  leasehold fence remove --table orders"})
final class RemoveFenceCommand extends FenceStoreCommand {
  @Mixin final TableOption at = new TableOption();

  RemoveFenceCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(Guards guards) {
    String table = Asking.await(guards.remove(at.table));
    return print(
        new Answer(
            Exit.DONE,
            new Json().with("outcome", "removed").with("table", table),
            "table " + table + " is not guarded any more"));
  }
}
