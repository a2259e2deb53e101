package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.cli.command.BlockAnswers;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.ObjectOutcomes;
import java.util.List;
import java.util.Optional;

/** Helpers that the commands on objects share. */
final class Objects {
  private Objects() {}

  static ObjectStore of(Store store) {
    return store.require(ObjectStore.class, "objects");
  }

  static CommandResult write(ObjectStore store, ObjectCommand command) {
    ObjectOutcome outcome = StoreCalls.await(store.apply(List.of(command))).getFirst();
    ObjectName name = command.name();
    return switch (outcome) {
      case ObjectOutcome.Created(Version version) ->
          answer(Exit.DONE, name, outcome, "created " + name + " at version " + version);
      case ObjectOutcome.Replaced(Version version) ->
          answer(Exit.DONE, name, outcome, "replaced " + name + " at version " + version);
      case ObjectOutcome.Deleted(Version version) ->
          answer(Exit.DONE, name, outcome, "deleted " + name + " at version " + version);
      case ObjectOutcome.Absent absent -> answer(Exit.DONE, name, absent, "there was no " + name);
      case ObjectOutcome.Conflict(Optional<Version> current) ->
          answer(
              Exit.LOST,
              name,
              outcome,
              current
                      .map(version -> name + " is at version " + version)
                      .orElseGet(() -> "there is no " + name)
                  + ", and nothing was changed");
      case BlockOutcome ofAnyBlock ->
          BlockAnswers.of(
              command,
              name.toString(),
              ofAnyBlock,
              out -> ObjectOutcomes.writeResult(out, name, outcome));
    };
  }

  /** The answer in the format of a server's answer to a batch of one write. */
  private static CommandResult answer(
      Exit exit, ObjectName name, ObjectOutcome outcome, String sentence) {
    return new CommandResult(exit, out -> ObjectOutcomes.writeResult(out, name, outcome), sentence);
  }
}
