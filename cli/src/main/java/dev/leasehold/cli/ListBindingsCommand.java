package dev.leasehold.cli;

import dev.leasehold.blocks.objects.Binding;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code object bindings}: what of a type is bound to which key. */
@Command(
    name = "bindings",
    description = "List what of a type is bound to which key.",
    footer = {"", "Example:", "  leasehold object bindings config"})
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before the command runs
final class ListBindingsCommand extends LookingCommand {
  @Parameters(paramLabel = "TYPE", description = "What kind of objects: config.")
  String type;

  ListBindingsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit look(LeaseStore store) {
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
    Json json =
        Bindings.json(new Json(), binding.scope())
            .with("key", binding.key().text())
            .with("by", binding.by().name())
            .with("atMs", binding.atMillis());
    String sentence =
        binding.scope() + " is bound to " + binding.key() + ", by " + binding.by().name();
    surroundings.out().println(options.json ? json : sentence);
  }
}
