package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lease handover}: passes the caller's grant on without a moment in which the key is free.
 */
@Command(
    name = "handover",
    description =
        "Pass your own lease on to another instance, with no moment in which the key is free.",
    footer = {
      "",
      "The heir renews with the token that is printed, and trusts nothing before that.",
      "",
      "Example:",
      "  LEASEHOLD_INSTANCE=SECRET leasehold lease handover leader/billing --token N \\",
      "    --to node-2 --to-instance-id ID"
    })
@SuppressWarnings("NullAway.Init") // required, so picocli sets them before the command runs
public final class HandOverCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OwnGrant own = new OwnGrant();
  @Mixin final RequestOption request = new RequestOption();

  @Option(
      names = "--to",
      paramLabel = "NAME",
      required = true,
      description = "The heir's name, for people.")
  String to;

  @Option(
      names = "--to-instance-id",
      paramLabel = "ID",
      required = true,
      description = "The heir's instance id, 64 hex digits: the SHA-256 of its secret.")
  InstanceId toInstanceId;

  public HandOverCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    var handOver =
        new dev.leasehold.kernel.spi.Command.HandOver(
            about.key,
            own.token,
            own.instance(context),
            request.orRandom(),
            new dev.leasehold.kernel.spi.Command.Heir(to, toInstanceId));
    Outcome outcome = StoreCalls.one(store.leases(), handOver);
    return print(
        switch (outcome) {
          case Outcome.HandedOver(var token) ->
              LeaseResults.done(
                  about.key,
                  outcome,
                  "handed " + about.key + " over to " + to + " under token " + token);
          case Outcome.Lost lost -> LeaseResults.lost(about.key, lost);
          case Outcome.Closed closed -> LeaseResults.closed(about.key, closed);
          default -> throw LeaseResults.foreign(outcome);
        });
  }
}
