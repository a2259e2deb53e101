package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Remembered.Verb;
import java.util.Optional;

/** What answers tell of effects. */
final class Answers {
  private Answers() {}

  /** Whether the client was told that its command changed something, now or at an earlier try. */
  static boolean tellsOfEffect(Call call) {
    return call.result() instanceof Result.Ok ok && tellsOfEffect(call.ask(), ok.answer());
  }

  private static boolean tellsOfEffect(Ask ask, Answer answer) {
    return switch (answer) {
      case Answer.Issued issued -> true;
      case Answer.Renewed renewed -> true;
      case Answer.Released released -> true;
      case Answer.Reopened reopened -> true;
      // To an acquire, that it was given up before it came: it has changed nothing.
      case Answer.Abandoned abandoned -> isAbandon(ask);
      case Answer.Lost lost -> false;
      case Answer.Refused refused -> false;
    };
  }

  private static boolean isAbandon(Ask ask) {
    return ask instanceof Ask.Requested requested && requested.request().verb() == Verb.ABANDON;
  }

  /** Whether it was told that the command changed nothing, and was decided afresh. */
  static boolean tellsOfNothing(Call call) {
    return call.result() instanceof Result.Ok && !tellsOfEffect(call);
  }

  /** The token that an effect is told with: the new one, or for a release the one given back. */
  static Optional<Token> toldToken(Call call) {
    boolean released =
        call.result() instanceof Result.Ok ok && ok.answer() instanceof Answer.Released;
    return released && call.ask() instanceof Ask.Requested requested
        ? requested.token()
        : call.issued();
  }

  /** The same, as the log has it. */
  static Optional<Token> loggedToken(LogEntry entry) {
    return switch (entry.effect()) {
      case LogEntry.Issuing issuing -> Optional.of(issuing.issued());
      case LogEntry.Released released -> Optional.of(released.token());
      default -> Optional.empty();
    };
  }
}
