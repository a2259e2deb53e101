package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.SignalAccess;
import org.jetbrains.lincheck.datastructures.Operation;

/** A lease is lost while its work ends; the work reports whether it was cancelled. */
public class SignalOperations {
  private final SignalAccess door = new SignalAccess();

  /** Begins the work. */
  @Operation(nonParallelGroup = "work")
  public void bind() {
    door.bind();
  }

  /** Ends the work; from then on it must not be cancelled. */
  @Operation(nonParallelGroup = "work")
  public void unbind() {
    door.unbind();
  }

  /** Loses the lease. */
  @Operation
  public void lose() {
    door.lose();
  }

  /** Looks at the work. */
  @Operation
  public boolean cancelled() {
    return door.isCancelled();
  }
}
