package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.OperatorOption;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.Diagnostics;
import dev.leasehold.store.jdbc.RowLocks;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lease revoke}: an operator takes a key away from its holder. */
@Command(
    name = "revoke",
    description = "Take a lease away from its holder; recorded with your name and reason.",
    footer = {
      "",
      "The key stays closed until the old grant would have expired, since its holder may"
          + " trust it until then. With --now it opens at once, and only fenced targets are"
          + " safe from the old one. With --store it then also ends transactions on PostgreSQL that"
          + " have the lease's row locked, where the store's role may do that.",
      "",
      "Example:",
      "  leasehold lease revoke leader/billing --why \"it writes nonsense\""
    })
@SuppressWarnings("NullAway.Init") // --why is required, so picocli sets it before the command runs
public final class RevokeCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final OperatorOption who = new OperatorOption();
  @Mixin final RequestOption request = new RequestOption();

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, which stays on record.")
  String why;

  @Option(names = "--now", description = "Open the key at once, relying on the fence alone.")
  boolean now;

  public RevokeCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    var revoke =
        new dev.leasehold.kernel.spi.Command.Revoke(
            about.key,
            who.operator(context),
            new Explanation(why),
            now ? Reopening.NOW : Reopening.AT_EXPIRY,
            request.orRandom());
    Blockers blockers = new Blockers(about.key);
    Optional<RowLocks> locks = store.part(RowLocks.class).filter(known -> now);
    Outcome outcome =
        locks.isPresent()
            ? blockers.endedFor(store.leases(), locks.get(), revoke)
            : asked(store, revoke);
    return print(
        switch (outcome) {
          case Outcome.Revoked(var token) ->
              LeaseResults.done(
                      about.key,
                      outcome,
                      "revoked "
                          + about.key
                          + "; targets can be sealed with token "
                          + token
                          + blockers.sentence())
                  .with(blockers::write);
          case Outcome.Free free ->
              LeaseResults.done(
                  about.key, free, about.key + " was free: there was nothing to revoke");
          default -> throw LeaseResults.foreign(outcome);
        });
  }

  /** With {@code --now}, a server itself ends the transactions that lock the row. */
  private Outcome asked(Store store, dev.leasehold.kernel.spi.Command.Revoke revoke) {
    try {
      return StoreCalls.one(store.leases(), revoke);
    } catch (CommandFailedException e) {
      String said = String.valueOf(e.getMessage());
      // A server does not pass its store's message on.
      boolean maybeLocked =
          store.part(Diagnostics.class).isEmpty() || said.contains("its row is locked");
      if (now || e.exit() != Exit.UNREACHABLE || !maybeLocked) {
        throw e;
      }
      throw new CommandFailedException(
          e.exit(),
          said
              + ". If a transaction on PostgreSQL has the row of "
              + revoke.key()
              + " locked, --now ends it",
          e);
    }
  }
}
