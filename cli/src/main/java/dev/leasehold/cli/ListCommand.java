package dev.leasehold.cli;

import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease list}: every record, in the order of keys. */
@Command(
    name = "list",
    description = "List leases in the order of their keys.",
    footer = {"", "Example:", "  leasehold lease list --prefix leader/ --store sqlite:leases.db"})
final class ListCommand extends LookingCommand {
  private static final String ROW = "%-40s %-8s %-17s %-10s %s";

  @Mixin final PrefixOption keys = new PrefixOption();

  ListCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit look(LeaseStore store) {
    Consumer<LeaseReading> printer = options.json ? this::printJson : rows();
    Optional<ListQuery> query = Optional.of(ListQuery.all(keys.prefix));
    // A reader that has gone away, as head does, is no reason to read on.
    while (query.isPresent() && !surroundings.out().checkError()) {
      ListQuery asked = query.get();
      LeasePage page = Asking.await(store.list(asked));
      page.items().forEach(printer);
      query = page.next().map(asked::from);
    }
    return Exit.DONE;
  }

  private void printJson(LeaseReading reading) {
    surroundings.out().println(Records.json(reading));
  }

  private Consumer<LeaseReading> rows() {
    Table table =
        new Table(surroundings, ROW, List.of("KEY", "STATE", "TOKEN", "REMAINING", "HOLDER"));
    return reading -> {
      Optional<Grant> grant = reading.record().currentGrant();
      table.add(
          reading.record().key(),
          Records.state(reading),
          grant.map(Grant::token).orElse(reading.record().last()),
          grant.map(g -> Values.text(g.remainingMillis(reading.atMillis()))).orElse("-"),
          grant.map(g -> g.terms().info().holder()).orElse("-"));
    };
  }
}
