package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that opens a store, does one thing there, and closes it. */
abstract class StoreCommand implements Callable<Integer> {
  @Mixin final StoreOptions options = new StoreOptions();

  final Surroundings surroundings;

  StoreCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  abstract Exit run(LeaseStore store);

  /** Where it is, unless the command can do with less than a store that is safe to use. */
  LeasePlace place() {
    return options.place(surroundings);
  }

  @Override
  public final Integer call() {
    try (LeaseStore store = surroundings.stores().apply(place())) {
      return run(store).code();
    }
  }

  Exit print(Answer answer) {
    return surroundings.print(answer, options.json);
  }
}
