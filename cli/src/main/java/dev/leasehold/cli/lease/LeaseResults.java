package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Outcomes;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Results that several commands share. */
public final class LeaseResults {
  private LeaseResults() {}

  /** The outcome as a server answers a batch of one command. */
  static Consumer<JsonOut> json(LeaseKey key, Outcome outcome) {
    return out -> Outcomes.writeResult(out, key, outcome, Detail.BRIEF);
  }

  static CommandResult done(LeaseKey key, Outcome outcome, String sentence) {
    return new CommandResult(Exit.DONE, json(key, outcome), sentence);
  }

  static CommandResult lost(LeaseKey key, Outcome.Lost lost) {
    return new CommandResult(
        Exit.LOST,
        json(key, lost),
        "you do not hold "
            + key
            + ": the grant under this token "
            + LossTexts.sentence(lost.reason()));
  }

  public static CommandResult held(LeaseKey key, Outcome.Held held) {
    return new CommandResult(
        Exit.NOT_ACQUIRED,
        json(key, held),
        key
            + " is held by "
            + held.by()
            + " under token "
            + held.token()
            + ", for another "
            + Values.text(held.remainingMillis())
            + " unless it is renewed; to wait for it, add --wait");
  }

  public static CommandResult closed(LeaseKey key, Outcome.Closed closed) {
    OptionalLong remaining = closed.remainingMillis();
    String until =
        remaining.isPresent()
            ? " for another " + Values.text(remaining.getAsLong())
            : " until an operator opens it (leasehold lease reopen)";
    return new CommandResult(
        remaining.isPresent() ? Exit.NOT_ACQUIRED : Exit.REFUSED,
        json(key, closed),
        key + " is closed" + until + ": " + closed.reason());
  }

  /** An outcome of another verb, which no store returns. */
  static IllegalStateException foreign(Outcome outcome) {
    return new IllegalStateException("the store answered with " + outcome);
  }
}
