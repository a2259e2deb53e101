package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease release}: gives one's grant back. */
@Command(
    name = "release",
    description = "Give your own lease back.",
    footer = {
      "",
      "Example:",
      "  LEASEHOLD_INSTANCE=SECRET leasehold lease release lock/nightly-report --token N"
    })
final class ReleaseCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OwnGrant own = new OwnGrant();
  @Mixin final RequestOption request = new RequestOption();

  ReleaseCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    var release =
        new dev.leasehold.kernel.spi.Command.Release(
            about.key, own.token, own.instance(surroundings), request.orRandom());
    Outcome outcome = Asking.one(store, release);
    return print(
        switch (outcome) {
          case Outcome.Released released ->
              new Answer(Exit.DONE, Outcomes.json("released", about.key), "released " + about.key);
          case Outcome.Lost(var reason) -> Outcomes.lost(about.key, reason);
          default -> throw Outcomes.foreign(outcome);
        });
  }
}
