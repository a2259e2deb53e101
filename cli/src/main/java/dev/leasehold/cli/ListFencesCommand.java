package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.Guard;
import dev.leasehold.store.jdbc.GuardHole;
import dev.leasehold.store.jdbc.Guards;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fence list}: every guarded table, and what stands open there. */
@Command(
    name = "list",
    description = "List guarded tables, and which ways past them stand open.",
    footer = {"", "Example:", "  leasehold fence list --store jdbc:postgresql://db/app"})
final class ListFencesCommand extends StoreCommand {
  private static final String ROW = "%-40s %-40s %s";

  ListFencesCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    Guards guards = FencePlace.guards(store);
    List<GuardHole> holes = Asking.await(guards.holes());
    if (!options.json) {
      surroundings.out().println(ROW.formatted("TABLE", "KEYS", "MAINTENANCE"));
    }
    for (Guard guard : Asking.await(guards.list())) {
      surroundings.out().println(options.json ? json(guard, holes) : row(guard));
    }
    if (!options.json) {
      holes.forEach(
          hole -> surroundings.out().println("hole: " + hole.table() + ": " + hole.what()));
    }
    return Exit.DONE;
  }

  /** A hole of a partition is told with the partition's name. */
  private static Json json(Guard guard, List<GuardHole> holes) {
    Json json = GuardTexts.json(guard);
    List<Json> open =
        holes.stream()
            .map(hole -> new Json().with("table", hole.table()).with("what", hole.what()))
            .toList();
    return json.with("holes", open);
  }

  private static String row(Guard guard) {
    return ROW.formatted(guard.table(), GuardTexts.keys(guard), guard.maintenanceRole().orElse("-"))
        .strip();
  }
}
