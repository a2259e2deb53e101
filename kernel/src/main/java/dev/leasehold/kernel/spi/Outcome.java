package dev.leasehold.kernel.spi;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of a command. Each verb has its own sealed set of results, so that the compiler checks
 * that a switch covers them all. Every verb can be answered {@link Rejected} and {@link Failed}.
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

  sealed interface OfEndExpired extends Outcome {}

  sealed interface OfPurge extends Outcome {}

  /**
   * Whether this outcome still holds when an earlier copy of its command, of which the sender has
   * heard nothing, arrives after it. What was done is remembered under its request id, and a grant
   * that has ended never comes back. A command that has changed nothing may find otherwise when its
   * earlier copy arrives: an acquire that is answered {@code Held} can still be granted then.
   */
  default boolean isFinal() {
    return switch (this) {
      case Granted granted -> true;
      case Ended ended -> true;
      case Abandoned abandoned -> true;
      // A late renewal only does once more what its holder has asked for.
      case Renewed renewed -> true;
      case Released released -> true;
      case HandedOver handedOver -> true;
      case Revoked revoked -> true;
      case Reopened reopened -> true;
      case Purged purged -> true;
      case Lost lost -> true;
      case Held held -> false;
      case Closed closed -> false;
      case Changed changed -> false;
      case Free free -> false;
      case NotClosed notClosed -> false;
      case NotStalled notStalled -> false;
      case NotExpired notExpired -> false;
      case Kept kept -> false;
      case Rejected rejected -> false;
      case Failed failed -> false;
    };
  }

  /** The caller holds the key. The remaining time counts from when the command was sent. */
  record Granted(Grant grant, long remainingMillis) implements OfAcquire {}

  /**
   * Another grant of the key is current, for the remaining time unless it is renewed.
   *
   * @param lockedBy for people: the database transaction that prevents the takeover of an expired
   *     grant, once the store has found it
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

  /**
   * The key is closed, or this instance is barred, for the remaining time; empty: until an operator
   * acts.
   */
  record Closed(String reason, OptionalLong remainingMillis) implements OfAcquire, OfHandOver {}

  /** The latest grant is not the one that the caller expected. */
  record Changed() implements OfAcquire {}

  /** This request was granted before, and that grant has ended. */
  record Ended(Token token, LossReason reason) implements OfAcquire {}

  /** The request is abandoned. As the answer to an acquire: it was abandoned before it arrived. */
  record Abandoned() implements OfAcquire, OfAbandon {}

  record Renewed(long remainingMillis) implements OfRenew {}

  record Released() implements OfRelease {}

  /** The heir holds the key, under this token. */
  record HandedOver(Token token) implements OfHandOver {}

  /** The key was closed or its grant ended; targets can be sealed with this void token. */
  record Revoked(Token token) implements OfRevoke {}

  /**
   * The revocation had nothing to end, to close or to lift. The key may be closed for a limited
   * time.
   */
  record Free() implements OfRevoke {}

  record Reopened() implements OfReopen {}

  /** The key is open, or opens by itself, so no operator has to open it. */
  record NotClosed() implements OfReopen {}

  /** The grant has made progress meanwhile, and lasts for the remaining time. */
  record NotStalled(long remainingMillis) implements OfEndStalled {}

  /** The grant lasts for the remaining time, unless it is renewed. */
  record NotExpired(long remainingMillis) implements OfEndExpired {}

  /** The record is deleted; every later token in its bucket is above this floor. */
  record Purged(Token floor) implements OfPurge {}

  /** The key is in use, or has not been dead for long enough. */
  record Kept() implements OfPurge {}

  /** The caller has no such grant, or no longer. */
  record Lost(LossReason reason)
      implements OfRenew, OfRelease, OfHandOver, OfEndStalled, OfEndExpired {}

  /**
   * The store cannot decide the command. Nothing has changed, and repeating the command will not
   * help.
   */
  record Rejected(String why)
      implements BlockOutcome.Rejected,
          OfAcquire,
          OfAbandon,
          OfRenew,
          OfRelease,
          OfHandOver,
          OfRevoke,
          OfReopen,
          OfEndStalled,
          OfEndExpired,
          OfPurge {}

  /**
   * The store could not carry out the command. The certainty says whether it may still take effect.
   */
  record Failed(Certainty certainty, String detail)
      implements BlockOutcome.Failed,
          OfAcquire,
          OfAbandon,
          OfRenew,
          OfRelease,
          OfHandOver,
          OfRevoke,
          OfReopen,
          OfEndStalled,
          OfEndExpired,
          OfPurge {}

  /** Whether a command that failed may still take effect. */
  enum Certainty {
    /** The command has changed nothing, and never will. */
    NOT_APPLIED,
    /**
     * The command may have taken effect, or may do so later: send it again under the same request
     * id.
     */
    UNKNOWN
  }
}
