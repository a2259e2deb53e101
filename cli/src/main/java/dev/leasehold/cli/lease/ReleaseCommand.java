package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease release}: releases the caller's grant. */
@Command(
    name = "release",
    description = "Give your own lease back.",
    footer = {
      "",
      "Example:",
      "  LEASEHOLD_INSTANCE=SECRET leasehold lease release lock/nightly-report --token N"
    })
public final class ReleaseCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OwnGrant own = new OwnGrant();
  @Mixin final RequestOption request = new RequestOption();

  public ReleaseCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    var release =
        new dev.leasehold.kernel.spi.Command.Release(
            about.key, own.token, own.instance(context), request.orRandom());
    Outcome outcome = StoreCalls.one(store.leases(), release);
    return print(
        switch (outcome) {
          case Outcome.Released released ->
              LeaseResults.done(about.key, released, "released " + about.key);
          case Outcome.Lost lost -> LeaseResults.lost(about.key, lost);
          default -> throw LeaseResults.foreign(outcome);
        });
  }
}
