package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;

/**
 * What happens to an election. A campaign is one attempt at the lease and the term that it wins;
 * events of an earlier campaign change nothing.
 */
sealed interface Event {
  record Start() implements Event {}

  /** The store has granted the lease, and the targets are sealed. */
  record Won(long campaign) implements Event {}

  /** The attempt has failed; the engine begins another. */
  record NotWon(long campaign) implements Event {}

  /** The leader has handed a grant of this token over to this replica. */
  record HandedOver(Token token) implements Event {}

  /** All listeners have returned from elected(). */
  record ElectedNotified(long campaign) implements Event {}

  /** The lease will end after the stop grace, for this reason. */
  record Ending(long campaign, LossReason reason) implements Event {}

  record Lost(long campaign, LossReason reason) implements Event {}

  /** The last run under the term has ended. */
  record WorkEnded(long campaign) implements Event {}

  /** The lease was released or handed over, or the store did not answer. */
  record LeaseReleased(long campaign) implements Event {}

  /** A caller asks this replica to step down. */
  record StepDown(StepDownRequest request) implements Event {}

  /** The replica may be a candidate again. */
  record PauseOver(long campaign) implements Event {}

  /** The process closes its leases, which cancels the attempt. */
  record AttemptCancelled(long campaign) implements Event {}

  record Close() implements Event {}

  /** The shutdown has waited for its limit. */
  record ShutdownTimeout() implements Event {}
}
