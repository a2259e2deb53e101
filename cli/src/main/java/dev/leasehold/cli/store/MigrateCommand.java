package dev.leasehold.cli.store;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreOptions;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.StorePlace;
import dev.leasehold.store.jdbc.StoreSchema;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrate}: brings a store's schema up to date, or prints the statements that do so. */
@Command(
    name = "migrate",
    description = "Create or upgrade the schema of a store. Safe to run from many places at once.",
    footer = {
      "",
      "Examples:",
      "  leasehold migrate --store jdbc:postgresql://db/app",
      "  leasehold migrate --print --store jdbc:postgresql:// > leasehold.sql"
    })
public final class MigrateCommand implements Callable<Integer> {
  @Mixin final StoreOptions options = new StoreOptions();

  @Option(names = "--print", description = "Print the statements, and connect to nothing.")
  boolean print;

  private final CommandContext context;

  public MigrateCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    StorePlace place = options.storePlace(context, "migrating needs");
    if (place.isMemory()) {
      throw new CommandFailedException(Exit.USAGE, "a store in memory has no schema to migrate");
    }
    return context.print(print ? text(place) : migrate(place), options.json).code();
  }

  private static CommandResult text(StorePlace place) {
    String sql = place.builder().schemaSql();
    return new CommandResult(Exit.DONE, out -> out.text("sql", sql), sql.stripTrailing());
  }

  private static CommandResult migrate(StorePlace place) {
    List<String> steps = place.builder().schema(MigrateCommand::apply);
    return new CommandResult(
        Exit.DONE,
        out ->
            out.text("outcome", "migrated")
                .list("applied", steps, (item, step) -> item.text("name", step)),
        steps.isEmpty() ? "the schema was up to date" : "applied " + String.join(", ", steps));
  }

  private static List<String> apply(StoreSchema schema) {
    List<String> steps = schema.apply();
    if (schema.state() instanceof SchemaState.TooNew tooNew) {
      throw new CommandFailedException(
          Exit.REFUSED,
          "the schema is of release 0."
              + tooNew.minor()
              + ", too new for this one: upgrade this program");
    }
    return steps;
  }
}
