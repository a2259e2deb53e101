package dev.leasehold.testkit.history;

import dev.leasehold.kernel.spi.Outcome;
import java.util.Locale;

/** What a client knows of its call. */
public sealed interface Result {
  /** The store has answered. */
  record Ok(Answer answer) implements Result {}

  /** It is proven that the call has changed nothing, and never will. */
  record Failed(String why) implements Result {}

  /** It may have taken effect, or still may. */
  record Unknown(String why) implements Result {}

  static Result of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected rejected -> new Failed(rejected.why());
      case Outcome.Failed failed ->
          failed.certainty() == Outcome.Certainty.NOT_APPLIED
              ? new Failed(failed.detail())
              : new Unknown(failed.detail());
      case Outcome.Granted o ->
          new Ok(
              new Answer.Granted(
                  o.grant().token(),
                  o.grant().grantedAtMillis(),
                  o.grant().expiresAtMillis(),
                  o.remainingMillis()));
      case Outcome.Ended o -> new Ok(new Answer.Ended(o.token(), nameOf(o.reason())));
      case Outcome.HandedOver o -> new Ok(new Answer.HandedOver(o.token()));
      case Outcome.Revoked o -> new Ok(new Answer.Revoked(o.token()));
      case Outcome.Renewed o -> new Ok(new Answer.Renewed(o.remainingMillis()));
      case Outcome.Released o -> new Ok(new Answer.Released());
      case Outcome.Abandoned o -> new Ok(new Answer.Abandoned());
      case Outcome.Reopened o -> new Ok(new Answer.Reopened());
      case Outcome.Lost o -> new Ok(new Answer.Lost(nameOf(o.reason())));
      case Outcome.Held o -> refused(o);
      case Outcome.Closed o -> refused(o);
      case Outcome.Changed o -> refused(o);
      case Outcome.Free o -> refused(o);
      case Outcome.NotClosed o -> refused(o);
      case Outcome.NotStalled o -> refused(o);
      case Outcome.NotExpired o -> refused(o);
      case Outcome.Purged o -> refused(o);
      case Outcome.Kept o -> refused(o);
    };
  }

  private static Result refused(Outcome outcome) {
    return new Ok(new Answer.Refused(nameOf(outcome)));
  }

  private static String nameOf(Object value) {
    return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
