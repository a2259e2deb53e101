package dev.leasehold.cli.command;

import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.output.JsonLine;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.JsonOut;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** A command that opens a store, does one thing there, and closes it. */
public abstract class StoreCommand implements Callable<Integer> {
  @Mixin protected final StoreOptions options = new StoreOptions();

  protected final CommandContext context;

  protected StoreCommand(CommandContext context) {
    this.context = context;
  }

  protected abstract Exit run(Store store);

  /** The place of the store. A command that does not need a safe store overrides this. */
  protected LeasePlace place() {
    return options.place(context);
  }

  @Override
  public final Integer call() {
    try (Store store = context.stores().apply(place())) {
      return run(store).code();
    }
  }

  protected Exit print(CommandResult answer) {
    return context.print(answer, options.json);
  }

  /** Prints one of several answers. */
  protected void printLine(Consumer<JsonOut> json, String sentence) {
    context.out().println(options.json ? JsonLine.of(json) : sentence);
  }

  /** Prints each item that it is given: as JSON on a line, or as a row of a table. */
  protected <T> Consumer<T> listing(
      TextTable.Columns columns, BiConsumer<JsonOut, T> json, Function<T, List<?>> cells) {
    if (options.json) {
      return item -> context.out().println(JsonLine.of(out -> json.accept(out, item)));
    }
    TextTable table = new TextTable(context, columns);
    return item -> table.add(cells.apply(item));
  }
}
