package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.Optional;

/**
 * A call from its sending to its answer.
 *
 * @param returnedNanos {@link #NEVER} where its process did not live to see the answer
 */
public record Call(String process, Ask ask, long calledNanos, long returnedNanos, Result result)
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

  boolean returnedBefore(Call other) {
    return returnedNanos < other.calledNanos;
  }
}
