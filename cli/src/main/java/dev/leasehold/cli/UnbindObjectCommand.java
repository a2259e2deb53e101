package dev.leasehold.cli;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code object unbind}: writes need no token any more. */
@Command(
    name = "unbind",
    description = "Take a binding away.",
    footer = {"", "Example:", "  leasehold object unbind config"})
final class UnbindObjectCommand extends StoreCommand {
  @Mixin final ScopeParameters about = new ScopeParameters();

  UnbindObjectCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    Optional<LeaseKey> before = Asking.await(Objects.of(store).unbind(about.scope()));
    Json json = Bindings.json(before.isPresent() ? "unbound" : "free", about.scope());
    before.ifPresent(old -> json.with("key", old.text()));
    return print(
        new Answer(
            Exit.DONE,
            json,
            before
                .map(old -> about.scope() + " is no longer bound to " + old)
                .orElseGet(() -> about.scope() + " was not bound")));
  }
}
