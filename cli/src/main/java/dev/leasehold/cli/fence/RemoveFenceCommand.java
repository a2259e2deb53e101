package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.store.jdbc.effects.Guards;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fence remove}: removes a guard. */
@Command(
    name = "remove",
    description = "Remove a guard, and all that it has added to a table.",
    footer = {"", "Example:", "  leasehold fence remove --table orders"})
public final class RemoveFenceCommand extends FenceStoreCommand {
  @Mixin final TableOption at = new TableOption();

  public RemoveFenceCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(Guards guards) {
    String table = StoreCalls.await(guards.remove(at.table));
    return print(
        new CommandResult(
            Exit.DONE,
            out -> out.text("outcome", "removed").text("table", table),
            "table " + table + " is not guarded any more"));
  }
}
