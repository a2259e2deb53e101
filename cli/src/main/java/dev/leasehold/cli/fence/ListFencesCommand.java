package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.TextTable;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.store.jdbc.effects.Guard;
import dev.leasehold.store.jdbc.effects.GuardHole;
import dev.leasehold.store.jdbc.effects.Guards;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fence list}: every guarded table, and its open holes. */
@Command(
    name = "list",
    description = "List guarded tables, and which ways past them stand open.",
    footer = {"", "Example:", "  leasehold fence list --store jdbc:postgresql://db/app"})
public final class ListFencesCommand extends FenceStoreCommand {
  private static final TextTable.Columns COLUMNS =
      TextTable.Columns.of("%-40s %-40s %s", "TABLE", "KEYS", "MAINTENANCE");

  public ListFencesCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(Guards guards) {
    StoreCalls.await(guards.list())
        .forEach(listing(COLUMNS, GuardTexts::write, ListFencesCommand::cells));
    for (GuardHole hole : StoreCalls.await(guards.holes())) {
      printLine(
          out -> out.text("table", hole.table()).text("hole", hole.what()),
          "hole: " + hole.table() + ": " + hole.what());
    }
    return Exit.DONE;
  }

  private static List<?> cells(Guard guard) {
    return List.of(guard.table(), GuardTexts.keys(guard), guard.maintenanceRole().orElse("-"));
  }
}
