package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lease renew}: extends the caller's grant once. */
@Command(
    name = "renew",
    description = "Extend your own lease, once.",
    footer = {
      "",
      "Example:",
      "  LEASEHOLD_INSTANCE=SECRET leasehold lease renew lock/nightly-report --token N"
    })
public final class RenewCommand extends StoreCommand {
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

  public RenewCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    ttl.ifPresent(time -> store.leases().limits().requireTtl(time.toMillis()));
    var renew =
        new dev.leasehold.kernel.spi.Command.Renew(
            about.key,
            own.token,
            own.instance(context),
            ttl.isPresent() ? OptionalLong.of(ttl.get().toMillis()) : OptionalLong.empty(),
            progress);
    Outcome outcome = StoreCalls.one(store.leases(), renew);
    return print(
        switch (outcome) {
          case Outcome.Renewed(long remainingMillis) ->
              LeaseResults.done(
                  about.key,
                  outcome,
                  "renewed " + about.key + " for " + Values.text(remainingMillis));
          case Outcome.Lost lost -> LeaseResults.lost(about.key, lost);
          default -> throw LeaseResults.foreign(outcome);
        });
  }
}
