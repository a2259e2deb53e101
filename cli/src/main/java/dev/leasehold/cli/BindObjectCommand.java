package dev.leasehold.cli;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code object bind}: an operator's act, on record by name. */
@Command(
    name = "bind",
    description = "Bind a type, or one object, to a key: writes must bring its current token.",
    footer = {"", "Example:", "  leasehold object bind config --key leader/config"})
@SuppressWarnings("NullAway.Init") // --key is required, so picocli sets it before the command runs
final class BindObjectCommand extends StoreCommand {
  @Mixin final ScopeParameters about = new ScopeParameters();
  @Mixin final OperatorOption who = new OperatorOption();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      required = true,
      description = "The key whose token writes must bring.")
  LeaseKey key;

  BindObjectCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    Optional<LeaseKey> before =
        Asking.await(Objects.of(store).bind(about.scope(), key, who.operator(surroundings)));
    Json json = Bindings.json("bound", about.scope()).with("key", key.text());
    before.ifPresent(old -> json.with("before", old.text()));
    return print(
        new Answer(
            Exit.DONE,
            json,
            "bound "
                + about.scope()
                + " to "
                + key
                + before.map(old -> ", and no longer to " + old).orElse("")));
  }
}
