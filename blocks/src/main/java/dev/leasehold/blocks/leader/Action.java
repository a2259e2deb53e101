package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import java.util.Optional;

/** What an election has done about an event; in the order given. None of it blocks. */
sealed interface Action {
  /** Tries to get the lease, for as long as it takes. */
  record Campaign(long campaign) implements Action {}

  /** Takes what was handed over. */
  record Inherit(long campaign, Token token) implements Action {}

  /** Gives the attempt up, and what it may still win. */
  record Withdraw(long campaign) implements Action {}

  /** Gives back what nobody wants any more. */
  record Discard(long campaign) implements Action {}

  record NotifyElected(long campaign) implements Action {}

  record NotifyEnding(long campaign) implements Action {}

  record NotifyLost(long campaign, LossReason reason) implements Action {}

  /** Lets work run under the term. */
  record StartWork(long campaign) implements Action {}

  /** Begins no more work, and says when what runs has ended. */
  record StopWork(long campaign) implements Action {}

  /** Tells the work to stop, and interrupts it after its grace. */
  record WindDown(long campaign) implements Action {}

  /** Gives the lease back, or hands it over as somebody has asked. */
  record ReleaseLease(long campaign, Optional<StepDownRequest> request) implements Action {}

  /** Says that all of it is over: the lease, and whatever ran under it. */
  record NotifySteppedDown(long campaign, StepDownRequest request) implements Action {}

  /** Says that there is nothing to step down from. */
  record RefuseStepDown(StepDownRequest request) implements Action {}

  /** Is not a candidate for a moment. */
  record Pause(long campaign, PauseReason reason) implements Action {}

  /** Waits for the end of the work no longer than this. */
  record LimitShutdown() implements Action {}

  record NotifyClosed() implements Action {}

  /** Why a replica is not a candidate for a moment. */
  sealed interface PauseReason {
    /** So that another can win. */
    record LetOthers() implements PauseReason {}

    /** So many attempts in a row came to nothing. */
    record AfterFailures(int failures) implements PauseReason {}
  }
}
