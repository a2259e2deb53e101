package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;

/** What the runner does about an event, in the order given. No action blocks. */
sealed interface Action {
  /** Acquires the lease, and waits for it without limit. */
  record Campaign(long campaign) implements Action {}

  /** Inherits the grant that was handed over. */
  record Inherit(long campaign, Token token) implements Action {}

  /** Cancels the attempt, and releases what it may still win. */
  record Withdraw(long campaign) implements Action {}

  /** Releases a lease that a withdrawn attempt has won. */
  record Discard(long campaign) implements Action {}

  record NotifyElected(long campaign) implements Action {}

  record NotifyEnding(long campaign) implements Action {}

  record NotifyLost(long campaign, LossReason reason) implements Action {}

  /** Starts the term's work. */
  record StartWork(long campaign) implements Action {}

  /** Starts no more work, and reports when the last run has ended. */
  record StopWork(long campaign) implements Action {}

  /** Tells the work to stop, and interrupts it after its grace. */
  record WindDown(long campaign) implements Action {}

  /** Releases the lease, or hands it over if the request names an heir. */
  record ReleaseLease(long campaign, Optional<StepDownRequest> request) implements Action {}

  /** Answers a request to step down: the lease is released, and its work has ended. */
  record NotifySteppedDown(long campaign, StepDownRequest request) implements Action {}

  /** Answers a request to step down: this replica does not lead. */
  record RefuseStepDown(StepDownRequest request) implements Action {}

  /** Waits before the next campaign. */
  record Pause(long campaign, PauseReason reason) implements Action {}

  /** Limits how long the shutdown waits for work to end. */
  record LimitShutdown() implements Action {}

  record NotifyClosed() implements Action {}

  /** Why a replica is no candidate for a moment. */
  sealed interface PauseReason {
    /** So that another can win. */
    record LetOthers() implements PauseReason {}

    /** This many attempts in a row have failed. */
    record AfterFailures(int failures) implements PauseReason {}
  }
}
