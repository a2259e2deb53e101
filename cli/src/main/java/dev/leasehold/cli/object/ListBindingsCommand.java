package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.Binding;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.cli.command.Asking;
import dev.leasehold.cli.command.LookingCommand;
import dev.leasehold.cli.command.Surroundings;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.ObjectReadings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code object bindings}: the bindings of a type and their keys. */
@Command(
    name = "bindings",
    description = "List the bindings of a type and their keys.",
    footer = {"", "Example:", "  leasehold object bindings config"})
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before the command runs
public final class ListBindingsCommand extends LookingCommand {
  @Parameters(paramLabel = "TYPE", description = "What kind of objects: config.")
  String type;

  public ListBindingsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  protected Exit look(Store store) {
    ObjectStore objects = Objects.of(store);
    List<Binding> page = Asking.await(objects.bindings(ObjectQuery.all(type)));
    while (!page.isEmpty() && !surroundings.out().checkError()) {
      page.forEach(this::print);
      String last = page.getLast().scope().id();
      page =
          page.size() < ObjectQuery.MAX_LIMIT
              ? List.of()
              : Asking.await(objects.bindings(ObjectQuery.all(type).from(last)));
    }
    return Exit.DONE;
  }

  private void print(Binding binding) {
    printLine(
        out -> ObjectReadings.write(out, binding),
        binding.scope() + " is bound to " + binding.key() + ", by " + binding.by().name());
  }
}
