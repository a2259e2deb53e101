package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;

/**
 * What happens to an election. A campaign is one attempt at the lease and the term that comes of
 * it; what is told of an earlier one changes nothing.
 */
sealed interface Event {
  record Start() implements Event {}

  /** The store has granted the lease, and the targets are sealed. */
  record Won(long campaign) implements Event {}

  /** The attempt has ended without a lease; trying again is up to us. */
  record NotWon(long campaign) implements Event {}

  /** A grant of this token was handed over to this replica. */
  record HandedOver(Token token) implements Event {}

  /** The listeners have been told that it is elected, and have returned. */
  record ElectedNotified(long campaign) implements Event {}

  /** The lease will be over after the stop grace, for this reason. */
  record Ending(long campaign, LossReason reason) implements Event {}

  record Lost(long campaign, LossReason reason) implements Event {}

  /** Nothing runs under the term any more. */
  record WorkEnded(long campaign) implements Event {}

  /** The lease was given back or handed over, or the store did not say. */
  record LeaseReleased(long campaign) implements Event {}

  /** Somebody wants this replica to lead no longer. */
  record StepDown(StepDownRequest request) implements Event {}

  /** The moment is over for which it was not to be a candidate. */
  record PauseOver(long campaign) implements Event {}

  /** The lease's process is closing: nothing can be won any more. */
  record AttemptCancelled(long campaign) implements Event {}

  record Close() implements Event {}

  /** The time is over for which closing waits. */
  record ShutdownTimeout() implements Event {}
}
