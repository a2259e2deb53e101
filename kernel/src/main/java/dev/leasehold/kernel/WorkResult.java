package dev.leasehold.kernel;

import java.util.Optional;

/** What became of work that was to run while a lease is held. */
public sealed interface WorkResult<T> {
  /** It ran to its end, and the lease was held all the while, as far as this process could know. */
  record Done<T>(T result) implements WorkResult<T> {}

  /** It never ran. */
  record NotHeld<T>(Acquisition.NotAcquired why) implements WorkResult<T> {}

  /** The lease was lost while it ran, and it was interrupted; this is what it threw, if it did. */
  record LostMeanwhile<T>(LossReason reason, Optional<Exception> thrown) implements WorkResult<T> {}

  /** Work that runs under a lease. */
  @FunctionalInterface
  interface Work<T> {
    T run(Lease lease) throws Exception;
  }
}
