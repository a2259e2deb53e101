package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lease renew}: extends one's grant once. */
@Command(
    name = "renew",
    description = "Extend your own lease, once.",
    footer = {
      "",
      "Example:",
      "  LEASEHOLD_INSTANCE=SECRET leasehold lease renew lock/nightly-report --token N"
    })
final class RenewCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OwnGrant own = new OwnGrant();

  @Option(
      names = "--ttl",
      paramLabel = "D",
      description = "How long it lasts from now. Else as before.")
  Optional<Duration> ttl = Optional.empty();

  @Option(
      names = "--progress",
      paramLabel = "N",
      description = "A mark that grows with the work, for leases with a stall limit.")
  long progress;

  RenewCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    ttl.ifPresent(time -> store.limits().requireTtl(time.toMillis()));
    var renew =
        new dev.leasehold.kernel.spi.Command.Renew(
            about.key,
            own.token,
            own.instance(surroundings),
            ttl.isPresent() ? OptionalLong.of(ttl.get().toMillis()) : OptionalLong.empty(),
            progress);
    Outcome outcome = Asking.one(store, renew);
    return print(
        switch (outcome) {
          case Outcome.Renewed(long remainingMillis) ->
              new Answer(
                  Exit.DONE,
                  Outcomes.json("renewed", about.key).with("remainingMs", remainingMillis),
                  "renewed " + about.key + " for " + Values.text(remainingMillis));
          case Outcome.Lost(var reason) -> Outcomes.lost(about.key, reason);
          default -> throw Outcomes.foreign(outcome);
        });
  }
}
