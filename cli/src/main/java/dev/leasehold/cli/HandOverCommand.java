package dev.leasehold.cli;

import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lease handover}: passes one's grant on, with no free moment between. */
@Command(
    name = "handover",
    description = "Pass your own lease on to another instance, with no free moment between.",
    footer = {
      "",
      "The heir renews with the token that is printed, and trusts nothing before that.",
      "",
      "Example:",
      "  LEASEHOLD_INSTANCE=SECRET leasehold lease handover leader/billing --token N \\",
      "    --to node-2 --to-instance-id ID"
    })
@SuppressWarnings("NullAway.Init") // required, so picocli sets them before the command runs
final class HandOverCommand extends StoreCommand {
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

  HandOverCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    var handOver =
        new dev.leasehold.kernel.spi.Command.HandOver(
            about.key,
            own.token,
            own.instance(surroundings),
            request.orRandom(),
            new dev.leasehold.kernel.spi.Command.Heir(to, toInstanceId));
    Outcome outcome = Asking.one(store, handOver);
    return print(
        switch (outcome) {
          case Outcome.HandedOver(var token) ->
              new Answer(
                  Exit.DONE,
                  Outcomes.json("handedOver", about.key).with("token", token.value()),
                  "handed " + about.key + " over to " + to + " under token " + token);
          case Outcome.Lost(var reason) -> Outcomes.lost(about.key, reason);
          case Outcome.Closed closed -> Outcomes.closed(about.key, closed);
          default -> throw Outcomes.foreign(outcome);
        });
  }
}
