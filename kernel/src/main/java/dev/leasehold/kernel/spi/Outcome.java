package dev.leasehold.kernel.spi;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.LossReason;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of a command. Each verb has its own closed set, so that a switch over it is complete.
 * {@link Rejected} and {@link Failed} can be the answer to any.
 */
public sealed interface Outcome {
  sealed interface OfAcquire extends Outcome {}

  sealed interface OfAbandon extends Outcome {}

  sealed interface OfRenew extends Outcome {}

  sealed interface OfRelease extends Outcome {}

  sealed interface OfHandOver extends Outcome {}

  sealed interface OfRevoke extends Outcome {}

  sealed interface OfReopen extends Outcome {}

  sealed interface OfEndStalled extends Outcome {}

  sealed interface OfPurge extends Outcome {}

  /** The key is the caller's; the remaining time counts from when the command was sent. */
  record Granted(Grant grant, long remainingMillis) implements OfAcquire {}

  /**
   * Somebody has it, for so long unless it is renewed.
   *
   * @param lockedBy for people, where nothing remains: which transaction of the store's database
   *     keeps the key from being taken over, once that is known
   */
  record Held(
      String by,
      InstanceId instanceId,
      Token token,
      long remainingMillis,
      Optional<String> lockedBy)
      implements OfAcquire {
    public Held(String by, InstanceId instanceId, Token token, long remainingMillis) {
      this(by, instanceId, token, remainingMillis, Optional.empty());
    }
  }

  /** Nobody can have it, or this instance cannot, for so long; empty: until an operator acts. */
  record Closed(String reason, OptionalLong remainingMillis) implements OfAcquire, OfHandOver {}

  /** The record is no longer what the caller expected. */
  record Changed() implements OfAcquire {}

  /** This very request was granted before, and that grant has ended. */
  record Ended(Token token, LossReason reason) implements OfAcquire {}

  /** The request is given up; as answer to an acquire: it was given up before it came. */
  record Abandoned() implements OfAcquire, OfAbandon {}

  record Renewed(long remainingMillis) implements OfRenew {}

  record Released() implements OfRelease {}

  /** The heir has it now, under this token. */
  record HandedOver(Token token) implements OfHandOver {}

  /** The key was closed or its grant ended; targets can be sealed with this void token. */
  record Revoked(Token token) implements OfRevoke {}

  /** There was nothing to end, to close or to lift. The key may still be closed, for now. */
  record Free() implements OfRevoke {}

  record Reopened() implements OfReopen {}

  /** Nothing that only an operator could open: the key is open, or opens by itself. */
  record NotClosed() implements OfReopen {}

  /** The grant has moved meanwhile: it lasts for so long. */
  record NotStalled(long remainingMillis) implements OfEndStalled {}

  /** The record is gone; whatever comes next in its bucket is above this floor. */
  record Purged(Token floor) implements OfPurge {}

  /** Not dead, or not for long enough. */
  record Kept() implements OfPurge {}

  /** The grant is not, or no longer, the caller's. */
  record Lost(LossReason reason) implements OfRenew, OfRelease, OfHandOver, OfEndStalled {}

  /** Cannot be decided; nothing was changed, and repeating it will not help. Says why. */
  record Rejected(String why)
      implements OfAcquire,
          OfAbandon,
          OfRenew,
          OfRelease,
          OfHandOver,
          OfRevoke,
          OfReopen,
          OfEndStalled,
          OfPurge {}

  /** The store could not carry it out. What may have happened is said by the certainty. */
  record Failed(Certainty certainty, String detail)
      implements OfAcquire,
          OfAbandon,
          OfRenew,
          OfRelease,
          OfHandOver,
          OfRevoke,
          OfReopen,
          OfEndStalled,
          OfPurge {}

  /** How much is known of a command that failed. */
  enum Certainty {
    /** It has changed nothing, and never will. */
    NOT_APPLIED,
    /** It may have taken effect, or still may: send it again under the same request id. */
    UNKNOWN
  }
}
