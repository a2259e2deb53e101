package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;
import java.util.OptionalLong;

/** The result of an attempt to hold a key, as the engine tells it to its caller. */
public sealed interface Verdict {
  /** This process holds the key, and may trust the lease from now on. */
  record Won(HeldLease lease) implements Verdict {}

  /**
   * Another holder has the key, for the remaining time unless it renews.
   *
   * @param lockedBy the database transaction that prevents the takeover of an expired grant, once
   *     the store has found it
   */
  record Held(
      String holder,
      InstanceId instanceId,
      Token token,
      long remainingMillis,
      Optional<String> lockedBy)
      implements Verdict {}

  /** The key is closed, or this instance is barred; empty: until an operator reopens it. */
  record Closed(String reason, OptionalLong remainingMillis) implements Verdict {}

  /** The latest grant is not the one that the caller expected. */
  record Changed() implements Verdict {}

  /** The store did not answer in time. If it still grants the request, the engine releases it. */
  record Failed(String why) implements Verdict {}

  /** The grant that this process was to inherit has ended. */
  record Gone(LossReason reason) implements Verdict {}

  /** The store has lost writes that this process has seen, so the process stops using it. */
  record Unsafe(String why) implements Verdict {}

  /** The store rejects the request as ill-formed. */
  record Rejected(String why) implements Verdict {}

  /** The caller cancelled the attempt, or the process shuts down. */
  record Cancelled() implements Verdict {}

  /** Receives the result. */
  @FunctionalInterface
  interface Receiver {
    void receive(Verdict verdict);
  }

  /** Also receives, while it waits, the reason why. */
  interface Observer extends Receiver {
    /**
     * The result of this waiter's latest acquire: Held, Closed or Failed. Held by this very process
     * means that the previous holder handed the key over to it.
     */
    void heard(Verdict meanwhile);
  }
}
