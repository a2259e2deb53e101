package dev.leasehold.kernel;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import java.time.Duration;
import java.util.Optional;

/** The result of an attempt to acquire a lease. */
public sealed interface Acquisition {
  /** The caller holds the lease, and closes it when its work is done. */
  record Acquired(Lease lease) implements Acquisition {}

  /** The caller does not hold the lease, and the store keeps no grant for it. */
  sealed interface NotAcquired extends Acquisition {}

  /**
   * Another holder has the key, for the remaining time unless it renews.
   *
   * @param lockedBy a description of the database transaction that prevents the takeover of an
   *     expired grant, once the store has found it
   */
  record Held(
      String holder,
      InstanceId instanceId,
      Token token,
      Duration remaining,
      Optional<String> lockedBy)
      implements NotAcquired {
    public Held(String holder, InstanceId instanceId, Token token, Duration remaining) {
      this(holder, instanceId, token, remaining, Optional.empty());
    }
  }

  /** The key is closed, or this instance is barred; empty: until an operator reopens it. */
  record Closed(String reason, Optional<Duration> remaining) implements NotAcquired {}

  /** The latest grant is not the one that the caller expected. */
  record Changed() implements NotAcquired {}

  /** The grant that this process was to inherit has ended. */
  record Gone(LossReason reason) implements NotAcquired {}

  /** The store did not answer in time. If it still grants the request, the grant is released. */
  record Failed(String why) implements NotAcquired {}

  /** A target could not be sealed, so an earlier holder might still write to it. */
  record Unsealed(String target, String why) implements NotAcquired {}

  /** The store has lost writes: it is not used until an operator has acted. */
  record Unsafe(String why) implements NotAcquired {}

  /** The caller cancelled the attempt before the store answered. */
  record Cancelled() implements NotAcquired {}
}
