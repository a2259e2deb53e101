package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.Answer;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Outcome.Certainty;
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

  static Answer write(ObjectStore store, ObjectCommand command) {
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
      case ObjectOutcome.Refused(Admission.Refused why) ->
          answer(Exit.LOST, name, outcome, refused(command.claim().orElseThrow(), why));
      case ObjectOutcome.Bound bound ->
          answer(
              Exit.REFUSED,
              name,
              bound,
              name
                  + " is bound to "
                  + bound.key()
                  + ": bring its current token by --key and --token");
      case ObjectOutcome.Rejected(String why) ->
          throw new CommandFailedException(Exit.REFUSED, why);
      case ObjectOutcome.Failed(Certainty certainty, String detail) ->
          throw failed(command, certainty, detail);
    };
  }

  /** The answer in the format of a server's answer to a batch of one write. */
  private static Answer answer(Exit exit, ObjectName name, ObjectOutcome outcome, String sentence) {
    return new Answer(exit, out -> ObjectOutcomes.writeResult(out, name, outcome), sentence);
  }

  private static String refused(Claim claim, Admission.Refused why) {
    return "token "
        + claim.token()
        + " of "
        + claim.key()
        + switch (why) {
          case Admission.Stale stale -> " is no longer current: nothing was changed";
          case Admission.Unissued unissued ->
              " was never issued by this store: nothing was changed";
        };
  }

  private static CommandFailedException failed(
      ObjectCommand command, Certainty certainty, String detail) {
    return new CommandFailedException(
        Exit.UNREACHABLE,
        certainty == Certainty.UNKNOWN
            ? "the store did not answer, so the outcome is unknown; send it again with"
                + " --request-id "
                + command.requestId()
                + " ("
                + detail
                + ")"
            : "the store could not do it, and nothing was changed; try again: " + detail);
  }
}
