package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease reopen}: an operator opens a key that was closed until one acts. */
@Command(
    name = "reopen",
    description = "Open a key that was closed until an operator acts.",
    footer = {
      "",
      "It can be had once the revoked grant would have expired, since its holder may"
          + " trust it until then. Whoever wants it at once, relying on the fence alone, uses"
          + " lease revoke --now.",
      "",
      "Example:",
      "  leasehold lease reopen leader/billing --store sqlite:leases.db"
    })
final class ReopenCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OperatorOption who = new OperatorOption();
  @Mixin final RequestOption request = new RequestOption();

  ReopenCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    var reopen =
        new dev.leasehold.kernel.spi.Command.Reopen(
            about.key, who.operator(surroundings), request.orRandom());
    Outcome outcome = Asking.one(store, reopen);
    return print(
        switch (outcome) {
          case Outcome.Reopened reopened ->
              new Answer(
                  Exit.DONE,
                  Outcomes.json("reopened", about.key),
                  about.key + " opens, at the latest when its revoked grant would have expired");
          case Outcome.NotClosed notClosed ->
              new Answer(Exit.DONE, Outcomes.json("notClosed", about.key), notClosed(store));
          default -> throw Outcomes.foreign(outcome);
        });
  }

  /** What closed it may be a revocation that opens by itself. */
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

  /** Looked up for the sentence only: whoever may not look is told less. */
  private Optional<String> closedFor(LeaseStore store) {
    try {
      return Asking.await(store.read(about.key)).flatMap(Records::closedFor);
    } catch (CommandFailedException e) {
      System.getLogger(ReopenCommand.class.getName())
          .log(System.Logger.Level.DEBUG, "it could not be looked up", e);
      return Optional.empty();
    }
  }
}
