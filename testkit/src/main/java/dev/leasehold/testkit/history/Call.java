package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A call from its sending to its answer.
 *
 * @param sentAtMillis what the store's clock showed at least when it was sent, where that is known
 * @param returnedNanos {@link #NEVER} where its process did not live to see the answer
 */
public record Call(
    String process,
    Ask ask,
    long calledNanos,
    OptionalLong sentAtMillis,
    long returnedNanos,
    Result result)
    implements Evidence {
  public static final long NEVER = Long.MAX_VALUE;

  boolean isUnknown() {
    return result instanceof Result.Unknown;
  }

  boolean isFailed() {
    return result instanceof Result.Failed;
  }

  Optional<Answer> answer() {
    return result instanceof Result.Ok ok ? Optional.of(ok.answer()) : Optional.empty();
  }

  /** The number that the answer tells of, if it tells of one. */
  Optional<Token> issued() {
    return result instanceof Result.Ok ok && ok.answer() instanceof Answer.Issued issued
        ? Optional.of(issued.token())
        : Optional.empty();
  }

  /** Until when, in store time, the answer lets the caller's grant last at least. */
  OptionalLong lastsUntilMillis() {
    if (!(result instanceof Result.Ok ok)) {
      return OptionalLong.empty();
    }
    return switch (ok.answer()) {
      case Answer.Granted granted -> OptionalLong.of(granted.expiresAtMillis());
      case Answer.Renewed renewed ->
          sentAtMillis.isPresent()
              ? OptionalLong.of(sentAtMillis.getAsLong() + renewed.remainingMillis())
              : OptionalLong.empty();
      default -> OptionalLong.empty();
    };
  }

  boolean returnedBefore(Call other) {
    return returnedNanos < other.calledNanos;
  }
}
