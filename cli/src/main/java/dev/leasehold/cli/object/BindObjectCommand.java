package dev.leasehold.cli.object;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.OperatorOption;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectReadings;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code object bind}: an operator's act, recorded with the operator's name. */
@Command(
    name = "bind",
    description = "Bind a type, or one object, to a key: writes must bring its current token.",
    footer = {"", "Example:", "  leasehold object bind config --key leader/config"})
@SuppressWarnings("NullAway.Init") // --key is required, so picocli sets it before the command runs
public final class BindObjectCommand extends StoreCommand {
  @Mixin final ScopeParameters about = new ScopeParameters();
  @Mixin final OperatorOption who = new OperatorOption();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      required = true,
      description = "The key whose token writes must bring.")
  LeaseKey key;

  public BindObjectCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    Optional<LeaseKey> before =
        StoreCalls.await(Objects.of(store).bind(about.scope(), key, who.operator(context)));
    return print(
        new CommandResult(
            Exit.DONE,
            out -> ObjectReadings.writeBound(ObjectCommands.writeScope(out, about.scope()), before),
            "bound "
                + about.scope()
                + " to "
                + key
                + before.map(old -> ", and no longer to " + old).orElse("")));
  }
}
