package dev.leasehold.cli;

import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code object list}: the objects of a type, without their payloads. */
@Command(
    name = "list",
    description = "List the objects of a type in the order of their ids.",
    footer = {"", "Example:", "  leasehold object list config --store sqlite:leases.db"})
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before the command runs
final class ListObjectsCommand extends LookingCommand {
  private static final String ROW = "%-40s %-17s %-8s %s";

  @Parameters(paramLabel = "TYPE", description = "What kind of objects: config.")
  String type;

  ListObjectsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit look(LeaseStore store) {
    ObjectStore objects = Objects.of(store);
    Optional<ObjectQuery> query = Optional.of(ObjectQuery.all(type));
    if (!options.json) {
      surroundings.out().println(ROW.formatted("ID", "VERSION", "BYTES", "UPDATED"));
    }
    // A reader that has gone away, as head does, is no reason to read on.
    while (query.isPresent() && !surroundings.out().checkError()) {
      ObjectQuery asked = query.get();
      ObjectPage page = Asking.await(objects.list(asked));
      for (VersionedObject object : page.items()) {
        surroundings.out().println(options.json ? json(object) : row(object));
      }
      query = page.next().map(asked::from);
    }
    return Exit.DONE;
  }

  private static Json json(VersionedObject object) {
    return Objects.json(
        new Json().with("type", object.name().type()).with("id", object.name().id()), object);
  }

  private static String row(VersionedObject object) {
    return ROW.formatted(
        object.name().id(),
        object.version(),
        object.payload().size(),
        Instant.ofEpochMilli(object.updatedAtMillis()).truncatedTo(ChronoUnit.SECONDS));
  }
}
