package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.TextTable;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.ObjectReadings;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code object list}: the objects of a type; with {@code --json} in full. */
@Command(
    name = "list",
    description = "List the objects of a type in the order of their ids.",
    footer = {"", "Example:", "  leasehold object list config --store sqlite:leases.db"})
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before the command runs
public final class ListObjectsCommand extends ReadCommand {
  private static final TextTable.Columns COLUMNS =
      TextTable.Columns.of("%-40s %-17s %-8s %s", "ID", "VERSION", "BYTES", "UPDATED");

  @Parameters(paramLabel = "TYPE", description = "What kind of objects: config.")
  String type;

  public ListObjectsCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    ObjectStore objects = Objects.of(store);
    Consumer<VersionedObject> printer =
        listing(COLUMNS, ObjectReadings::writeListed, ListObjectsCommand::cells);
    return printPages(
        ObjectQuery.all(type),
        asked -> {
          ObjectPage page = StoreCalls.await(objects.list(asked));
          page.items().forEach(printer);
          return page.next().map(asked::from);
        });
  }

  private static List<?> cells(VersionedObject object) {
    return List.of(
        object.name().id(),
        object.version(),
        object.payload().size(),
        Instant.ofEpochMilli(object.updatedAtMillis()).truncatedTo(ChronoUnit.SECONDS));
  }
}
