package dev.leasehold.cli;

import dev.leasehold.store.jdbc.effects.Guard;
import dev.leasehold.store.jdbc.effects.GuardHole;
import dev.leasehold.store.jdbc.effects.Guards;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fence list}: every guarded table, and what stands open there. */
@Command(
    name = "list",
    description = "List guarded tables, and which ways past them stand open.",
    footer = {"", "Example:", "  leasehold fence list --store jdbc:postgresql://db/app"})
final class ListFencesCommand extends FenceStoreCommand {
  private static final String ROW = "%-40s %-40s %s";

  ListFencesCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(Guards guards) {
    List<Guard> all = Asking.await(guards.list());
    if (options.json) {
      all.forEach(guard -> surroundings.out().println(GuardTexts.json(guard)));
    } else {
      Table table = new Table(surroundings, ROW, List.of("TABLE", "KEYS", "MAINTENANCE"));
      all.forEach(
          guard ->
              table.add(
                  guard.table(), GuardTexts.keys(guard), guard.maintenanceRole().orElse("-")));
    }
    for (GuardHole hole : Asking.await(guards.holes())) {
      surroundings.out().println(options.json ? json(hole) : "hole: " + text(hole));
    }
    return Exit.DONE;
  }

  private static Json json(GuardHole hole) {
    return new Json().with("table", hole.table()).with("hole", hole.what());
  }

  private static String text(GuardHole hole) {
    return hole.table() + ": " + hole.what();
  }
}
