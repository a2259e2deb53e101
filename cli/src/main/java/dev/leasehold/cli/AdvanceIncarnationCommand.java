package dev.leasehold.cli;

import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code incarnation advance}: after a restore, or a failover that lost writes. */
@Command(
    name = "advance",
    description = "End every grant and issue higher tokens from now on.",
    footer = {
      "",
      "For a store that was restored from a backup, or failed over and lost writes."
          + " Nothing is granted for the hold-off, since whoever held a lost grant may still"
          + " trust it.",
      "",
      "Example:",
      "  leasehold incarnation advance --store sqlite:leases.db --data /var/lib/leasehold",
      "  leasehold incarnation advance --store sqlite:leases.db --above 731"
    })
final class AdvanceIncarnationCommand extends StoreCommand {
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

  AdvanceIncarnationCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** That is what it is for. */
  @Override
  LeasePlace place() {
    return super.place().openedEvenIfRolledBack();
  }

  @Override
  Exit run(LeaseStore store) {
    Advance advance =
        new Advance(
            above.isPresent() ? OptionalInt.of(above.get()) : OptionalInt.empty(),
            OptionalInt.empty(),
            holdOff.isPresent() ? OptionalLong.of(holdOff.get().toMillis()) : OptionalLong.empty());
    return switch (Asking.await(store.advance(advance))) {
      case Advance.Advanced(int incarnation, long holdOffMillis) ->
          print(
              new Answer(
                  Exit.DONE,
                  new Json()
                      .with("outcome", "advanced")
                      .with("incarnation", incarnation)
                      .with("holdOffMs", holdOffMillis),
                  "the store is at incarnation "
                      + incarnation
                      + ", and grants nothing for "
                      + Values.text(holdOffMillis)));
      case Advance.Refused(String why) -> throw new CommandFailedException(Exit.REFUSED, why);
    };
  }
}
