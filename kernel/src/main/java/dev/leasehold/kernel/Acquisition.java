package dev.leasehold.kernel;

import dev.leasehold.fence.Token;
import java.time.Duration;
import java.util.Optional;

/** What an attempt to acquire came to. */
public sealed interface Acquisition {
  /** It is held: close it when the work is done. */
  record Acquired(Lease lease) implements Acquisition {}

  /** It is not held, and nothing was left behind at the store. */
  sealed interface NotAcquired extends Acquisition {}

  /**
   * Somebody else has it, for so long unless it is renewed.
   *
   * @param lockedBy for people, where nothing remains: which transaction of the store's database
   *     keeps it from being taken over, once that is known
   */
  record Busy(
      String holder,
      InstanceId instanceId,
      Token token,
      Duration remaining,
      Optional<String> lockedBy)
      implements NotAcquired {
    public Busy(String holder, InstanceId instanceId, Token token, Duration remaining) {
      this(holder, instanceId, token, remaining, Optional.empty());
    }
  }

  /** Nobody can have it, or this instance cannot; for so long, or until an operator acts. */
  record Closed(String reason, Optional<Duration> remaining) implements NotAcquired {}

  /** The grant that was to be followed is no longer the latest. */
  record Changed() implements NotAcquired {}

  /** What was to be inherited is gone. */
  record Gone(LossReason reason) implements NotAcquired {}

  /** The store did not say in time. Should it still grant the request, that is given back. */
  record Unavailable(String why) implements NotAcquired {}

  /** A target could not be sealed, so an old owner might still write to it. */
  record Unsealed(String target, String why) implements NotAcquired {}

  /** The store has lost writes: it is not used until an operator has acted. */
  record Unsafe(String why) implements NotAcquired {}

  /** It was given up before there was an answer. */
  record Cancelled() implements NotAcquired {}
}
