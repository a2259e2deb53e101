package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.LossReason;
import java.util.Optional;
import java.util.OptionalLong;

/** What an attempt to hold came to. */
public sealed interface Verdict {
  /** Held, and trusted from now on. */
  record Won(HeldLease lease) implements Verdict {}

  /**
   * Somebody else has it, for so long unless it is renewed.
   *
   * @param lockedBy where nothing remains: which transaction keeps it from being taken over, once
   *     that is known
   */
  record Busy(
      String holder,
      InstanceId instanceId,
      Token token,
      long remainingMillis,
      Optional<String> lockedBy)
      implements Verdict {}

  /** Nobody can have it, or this instance cannot; for so long, or until an operator acts. */
  record Shut(String reason, OptionalLong remainingMillis) implements Verdict {}

  /** It is no longer what the caller expected. */
  record Moved() implements Verdict {}

  /** The store did not say, in the time there was; what it may have granted is given back. */
  record Unanswered(String why) implements Verdict {}

  /** What was to be inherited is gone. */
  record Gone(LossReason reason) implements Verdict {}

  /** The store has lost writes, as this process itself can witness: it is not used any more. */
  record Unsafe(String why) implements Verdict {}

  /** Ill-formed for this store. */
  record Refused(String why) implements Verdict {}

  /** The caller gave up, or everything is shutting down. */
  record Cancelled() implements Verdict {}

  /** Who wants to know. */
  @FunctionalInterface
  interface Taker {
    void take(Verdict verdict);
  }

  /** The same for whoever also wants to know meanwhile why it has to wait. */
  interface Observer extends Taker {
    /**
     * Somebody has it, nobody can, or the store does not say: what came of this waiter's own ask.
     * If this very process has it, it was handed over to it.
     */
    void heard(Verdict meanwhile);
  }
}
