package dev.leasehold.cli.object;

import dev.leasehold.cli.command.CommandContext;
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

/** {@code object unbind}: writes need no token any more. */
@Command(
    name = "unbind",
    description = "Take a binding away.",
    footer = {"", "Example:", "  leasehold object unbind config"})
public final class UnbindObjectCommand extends StoreCommand {
  @Mixin final ScopeParameters about = new ScopeParameters();

  public UnbindObjectCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    Optional<LeaseKey> before = StoreCalls.await(Objects.of(store).unbind(about.scope()));
    return print(
        new CommandResult(
            Exit.DONE,
            out ->
                ObjectReadings.writeUnbound(ObjectCommands.writeScope(out, about.scope()), before),
            before
                .map(old -> about.scope() + " is no longer bound to " + old)
                .orElseGet(() -> about.scope() + " was not bound")));
  }
}
