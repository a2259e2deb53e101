package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.effects.Guard;
import dev.leasehold.store.jdbc.effects.Guards;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fence install}: puts a guard on a table. */
@Command(
    name = "install",
    description = "Let the database refuse changes of a table that bring no current token.",
    footer = {
      "",
      "INSERT, UPDATE, DELETE, TRUNCATE and COPY are refused, for the owner of the table"
          + " too, unless the transaction brings the token of each row's lease: by AtEffect in"
          + " Java, or by SELECT leasehold_bring(KEY, TOKEN) on PostgreSQL.",
      "",
      "Examples:",
      "  leasehold fence install --table orders --key-column lease",
      "  leasehold fence install --table app.ledger --key leader/billing --maintenance-role dba"
    })
@SuppressWarnings("NullAway.Init") // picocli sets required options before the command runs
public final class InstallFenceCommand extends FenceStoreCommand {
  @Mixin final TableOption at = new TableOption();

  @ArgGroup(multiplicity = "1")
  Keys keys;

  /** Exactly one of these two options. */
  static final class Keys {
    @Option(
        names = "--key-column",
        paramLabel = "C",
        description = "The column that holds the key of each row's lease, written kind/name.")
    Optional<String> column = Optional.empty();

    @Option(names = "--key", paramLabel = "K", description = "The one lease of the whole table.")
    Optional<LeaseKey> key = Optional.empty();
  }

  @Option(
      names = "--maintenance-role",
      paramLabel = "R",
      description = {
        "Its members pass after SELECT leasehold_maintain(REASON), which is recorded. Without this"
            + " option, no role passes.",
      })
  Optional<String> maintenanceRole = Optional.empty();

  public InstallFenceCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(Guards guards) {
    Guard.Keys kind =
        keys.key.isPresent()
            ? new Guard.Keys.Fixed(keys.key.get())
            : new Guard.Keys.Column(keys.column.orElseThrow());
    Guard guard = StoreCalls.await(guards.install(new Guard(at.table, kind, maintenanceRole)));
    return print(
        new CommandResult(
            Exit.DONE,
            out ->
                out.text("outcome", "installed")
                    .object("guard", inner -> GuardTexts.write(inner, guard)),
            "guarded table " + guard.table() + "; keys: " + GuardTexts.keys(guard)));
  }
}
