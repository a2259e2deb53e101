package dev.leasehold.kernel;

import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;

/** The result of work that was to run while a lease is held. */
public sealed interface WorkResult<T> {
  /**
   * The work ran to its end, and the lease was held all the time, as far as this process can know.
   */
  record Done<T>(T result) implements WorkResult<T> {}

  /** The work never ran. */
  record NotHeld<T>(Acquisition.NotAcquired why) implements WorkResult<T> {}

  /**
   * The lease was lost while the work ran, and the work was interrupted; with what it threw, if it
   * did.
   */
  record LostMeanwhile<T>(LossReason reason, Optional<Exception> thrown) implements WorkResult<T> {}

  /** Work that runs under a lease. */
  @FunctionalInterface
  interface Work<T> {
    T run(Lease lease) throws Exception;
  }
}
