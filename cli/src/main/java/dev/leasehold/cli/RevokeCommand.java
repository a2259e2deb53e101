package dev.leasehold.cli;

import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
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
final class RevokeCommand extends StoreCommand {
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

  RevokeCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    var revoke =
        new dev.leasehold.kernel.spi.Command.Revoke(
            about.key,
            who.operator(surroundings),
            new Explanation(why),
            now ? Reopening.NOW : Reopening.AT_EXPIRY,
            request.orRandom());
    Blockers blockers = new Blockers(about.key);
    Outcome outcome =
        now && store instanceof JdbcLeaseStore jdbc
            ? blockers.endedFor(jdbc, revoke)
            : asked(store, revoke);
    return print(
        switch (outcome) {
          case Outcome.Revoked(var token) ->
              new Answer(
                  Exit.DONE,
                  blockers.addTo(Outcomes.json("revoked", about.key).with("token", token.value())),
                  "revoked "
                      + about.key
                      + "; targets can be sealed with token "
                      + token
                      + blockers.sentence());
          case Outcome.Free free ->
              new Answer(
                  Exit.DONE,
                  Outcomes.json("free", about.key),
                  about.key + " was free: there was nothing to revoke");
          default -> throw Outcomes.foreign(outcome);
        });
  }

  /** A server ends what has the row locked by itself, if the operator says {@code --now}. */
  private Outcome asked(LeaseStore store, dev.leasehold.kernel.spi.Command.Revoke revoke) {
    try {
      return Asking.one(store, revoke);
    } catch (CommandFailedException e) {
      String said = String.valueOf(e.getMessage());
      boolean maybeLocked =
          !(store instanceof JdbcLeaseStore) || said.contains("its row is locked");
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
