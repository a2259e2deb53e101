package dev.leasehold.cli.store;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.StoreFacts;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code incarnation advance}: used after a restore, or after a failover that lost writes. */
@Command(
    name = "advance",
    description = "End every grant and issue higher tokens from now on.",
    footer = {
      "",
      "For a store that was restored from a backup, or failed over and lost writes. Nothing is"
          + " granted for the hold-off, since the holder of a lost grant may still trust it.",
      "",
      "Example:",
      "  leasehold incarnation advance --store sqlite:leases.db --data /var/lib/leasehold",
      "  leasehold incarnation advance --store sqlite:leases.db --above 731"
    })
public final class AdvanceIncarnationCommand extends StoreCommand {
  @Option(
      names = "--above",
      paramLabel = "N",
      description = "The highest incarnation found in any log, metric or target's mark.")
  Optional<Integer> above = Optional.empty();

  @Option(
      names = "--hold-off",
      paramLabel = "D",
      description =
          "How long nothing is granted. Else as long as a grant on record still runs, or the"
              + " longest ttl that the folder of --data has seen, at least 30s.")
  Optional<Duration> holdOff = Optional.empty();

  public AdvanceIncarnationCommand(CommandContext context) {
    super(context);
  }

  /** Opens a store that was rolled back, because this command repairs it. */
  @Override
  protected LeasePlace place() {
    return super.place().openedEvenIfRolledBack();
  }

  @Override
  protected Exit run(Store store) {
    Advance advance =
        new Advance(
            above.isPresent() ? OptionalInt.of(above.get()) : OptionalInt.empty(),
            OptionalInt.empty(),
            holdOff.isPresent() ? OptionalLong.of(holdOff.get().toMillis()) : OptionalLong.empty());
    Advance.Outcome outcome = StoreCalls.await(store.leases().advance(advance));
    return switch (outcome) {
      case Advance.Advanced(int incarnation, long holdOffMillis) ->
          print(
              new CommandResult(
                  Exit.DONE,
                  out -> StoreFacts.write(out, outcome),
                  "the store is at incarnation "
                      + incarnation
                      + ", and grants nothing for "
                      + Values.text(holdOffMillis)));
      case Advance.Refused(String why) -> throw new CommandFailedException(Exit.REFUSED, why);
    };
  }
}
