package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.TextTable;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Store;
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
public final class ListCommand extends ReadCommand {
  private static final TextTable.Columns COLUMNS =
      TextTable.Columns.of(
          "%-40s %-8s %-17s %-10s %s", "KEY", "STATE", "TOKEN", "REMAINING", "HOLDER");

  @Mixin final PrefixOption keys = new PrefixOption();

  public ListCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    Consumer<LeaseReading> printer = listing(COLUMNS, Records::write, ListCommand::cells);
    return printPages(
        ListQuery.all(keys.prefix),
        asked -> {
          LeasePage page = StoreCalls.await(store.leases().list(asked));
          page.items().forEach(printer);
          return page.next().map(asked::from);
        });
  }

  private static List<?> cells(LeaseReading reading) {
    Optional<Grant> grant = reading.record().currentGrant();
    return List.of(
        reading.record().key(),
        Records.state(reading),
        grant.map(Grant::token).orElse(reading.record().last()),
        grant.map(g -> Values.text(g.remainingMillis(reading.atMillis()))).orElse("-"),
        grant.map(g -> g.terms().info().holder()).orElse("-"));
  }
}
