package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.ObjectReadings;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code object bindings}: the bindings of a type and their keys. */
@Command(
    name = "bindings",
    description = "List the bindings of a type and their keys.",
    footer = {"", "Example:", "  leasehold object bindings config"})
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before the command runs
public final class ListBindingsCommand extends ReadCommand {
  @Parameters(paramLabel = "TYPE", description = "What kind of objects: config.")
  String type;

  public ListBindingsCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    ObjectStore objects = Objects.of(store);
    return printPages(
        ObjectQuery.all(type),
        asked -> {
          List<Binding> page = StoreCalls.await(objects.bindings(asked));
          page.forEach(this::print);
          return page.size() < ObjectQuery.MAX_LIMIT
              ? Optional.empty()
              : Optional.of(asked.from(page.getLast().scope().id()));
        });
  }

  private void print(Binding binding) {
    printLine(
        out -> ObjectReadings.write(out, binding),
        binding.scope() + " is bound to " + binding.key() + ", by " + binding.by().name());
  }
}
