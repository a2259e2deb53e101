package dev.leasehold.verification.linearizability;

import org.jetbrains.lincheck.datastructures.Operation;

/** Canary: checks whether work is bound, and cancels it a moment later. */
public final class HastySignals {
  private volatile boolean bound;
  private volatile boolean lost;
  private volatile boolean cancelled;

  /** Begins the work. */
  @Operation(nonParallelGroup = "work")
  public void bind() {
    bound = true;
    if (lost) {
      cancelled = true;
    }
  }

  /** Ends the work. */
  @Operation(nonParallelGroup = "work")
  public void unbind() {
    bound = false;
  }

  /** Loses the lease. */
  @Operation
  public void lose() {
    lost = true;
    if (bound) {
      cancelled = true;
    }
  }

  /** Looks at the work. */
  @Operation
  public boolean cancelled() {
    return cancelled;
  }
}
