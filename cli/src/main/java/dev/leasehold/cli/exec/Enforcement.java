package dev.leasehold.cli.exec;

import java.util.OptionalLong;

/**
 * When a group of processes is told to stop, and when it is killed: TERM when its lease is over, or
 * a grace before the trust in it ends; KILL when the trust ends. Once it was told to stop, nothing
 * extends its time. Time is an argument.
 */
final class Enforcement {
  private final long graceNanos;
  private OptionalLong deadline = OptionalLong.empty();
  private boolean over;
  private boolean told;

  /** The action that is due now. */
  sealed interface Step {
    /** No action for this time. */
    record Wait(long nanos) implements Step {}

    record Terminate() implements Step {}

    record Kill() implements Step {}
  }

  Enforcement(long graceNanos) {
    this.graceNanos = graceNanos;
  }

  /** The lease may be trusted until then. */
  void trustUntil(long deadlineNanos) {
    if (!told && !over) {
      deadline = OptionalLong.of(deadlineNanos);
    }
  }

  /** The lease is lost or ends: the group has until the trust that it had runs out. */
  void over() {
    over = true;
  }

  /** The wrapper no longer reports trust. If it never reported any, there is none. */
  void noMoreTrust(long nowNanos) {
    if (deadline.isEmpty()) {
      deadline = OptionalLong.of(nowNanos);
    }
  }

  boolean isTold() {
    return told;
  }

  Step next(long nowNanos) {
    if (deadline.isEmpty()) {
      return new Step.Wait(Long.MAX_VALUE);
    }
    long left = deadline.getAsLong() - nowNanos;
    if (left <= 0) {
      told = true;
      return new Step.Kill();
    }
    if (!told && (over || left <= graceNanos)) {
      told = true;
      return new Step.Terminate();
    }
    return new Step.Wait(told ? left : left - graceNanos);
  }
}
