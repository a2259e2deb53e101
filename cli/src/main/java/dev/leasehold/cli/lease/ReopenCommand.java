package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.OperatorOption;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease reopen}: an operator opens a key that only an operator can open. */
@Command(
    name = "reopen",
    description = "Open a key that was closed until an operator acts.",
    footer = {
      "",
      "The key can be acquired once the revoked grant would have expired, since its holder may"
          + " trust it until then. To open it at once, relying on the fence alone, use lease revoke"
          + " --now.",
      "",
      "Example:",
      "  leasehold lease reopen leader/billing --store sqlite:leases.db"
    })
public final class ReopenCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OperatorOption who = new OperatorOption();
  @Mixin final RequestOption request = new RequestOption();

  public ReopenCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    var reopen =
        new dev.leasehold.kernel.spi.Command.Reopen(
            about.key, who.operator(context), request.orRandom());
    Outcome outcome = StoreCalls.one(store.leases(), reopen);
    return print(
        switch (outcome) {
          case Outcome.Reopened reopened ->
              LeaseResults.done(
                  about.key,
                  reopened,
                  about.key + " opens, at the latest when its revoked grant would have expired");
          case Outcome.NotClosed notClosed ->
              LeaseResults.done(about.key, notClosed, notClosed(store.leases()));
          default -> throw LeaseResults.foreign(outcome);
        });
  }

  /** The key may be closed by a revocation that ends by itself. */
  private String notClosed(LeaseStore store) {
    return closedFor(store)
        .map(
            left ->
                about.key
                    + " is closed for another "
                    + left
                    + ", and opens by itself then: its revoked grant may be trusted that long")
        .orElse(about.key + " was not closed: there was nothing to open");
  }

  /** Read only for the message: a caller without permission to read gets a shorter one. */
  private Optional<String> closedFor(LeaseStore store) {
    try {
      return StoreCalls.await(store.read(about.key)).flatMap(Records::closedFor);
    } catch (CommandFailedException e) {
      System.getLogger(ReopenCommand.class.getName())
          .log(System.Logger.Level.DEBUG, "it could not be looked up", e);
      return Optional.empty();
    }
  }
}
