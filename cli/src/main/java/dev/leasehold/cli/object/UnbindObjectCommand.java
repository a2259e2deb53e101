package dev.leasehold.cli.object;

import dev.leasehold.cli.command.Asking;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.command.Surroundings;
import dev.leasehold.cli.output.Answer;
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

  public UnbindObjectCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  protected Exit run(Store store) {
    Optional<LeaseKey> before = Asking.await(Objects.of(store).unbind(about.scope()));
    return print(
        new Answer(
            Exit.DONE,
            out ->
                ObjectReadings.writeUnbound(ObjectCommands.writeScope(out, about.scope()), before),
            before
                .map(old -> about.scope() + " is no longer bound to " + old)
                .orElseGet(() -> about.scope() + " was not bound")));
  }
}
