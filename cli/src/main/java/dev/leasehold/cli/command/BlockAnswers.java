package dev.leasehold.cli.command;

import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.remote.wire.JsonOut;
import java.util.function.Consumer;

/** Answers about outcomes that commands of every block can have. */
public final class BlockAnswers {
  private BlockAnswers() {}

  /**
   * The answer to a command that changed nothing.
   *
   * @param what the row that the command is about
   * @throws CommandFailedException if the store failed or rejected it
   */
  public static CommandResult of(
      FencedCommand command, String what, BlockOutcome outcome, Consumer<JsonOut> json) {
    return switch (outcome) {
      case BlockOutcome.Refused refused ->
          new CommandResult(Exit.LOST, json, refused(command.claim().orElseThrow(), refused.why()));
      case BlockOutcome.Bound bound ->
          new CommandResult(
              Exit.REFUSED,
              json,
              what
                  + " is bound to "
                  + bound.key()
                  + ": bring its current token by --key and --token");
      default ->
          throw StoreCalls.failed(
              outcome, "send it again with --request-id " + command.requestId());
    };
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
}
