package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.LossReason;
import java.util.Optional;

/** What became of work that was to run while this replica leads. */
public sealed interface LeaderWorkResult<T> {
  /** It ran to its end, and this replica led all the while, as far as it could know. */
  record Done<T>(T result) implements LeaderWorkResult<T> {}

  /** It never ran; this one leads, as far as is known. */
  record NotLeading<T>(Optional<Leader> leader) implements LeaderWorkResult<T> {}

  /** The term was lost while it ran, and it was interrupted; this is what it threw, if it did. */
  record LostMeanwhile<T>(LossReason reason, Optional<Exception> thrown)
      implements LeaderWorkResult<T> {}

  /** Work that runs under a term. */
  @FunctionalInterface
  interface Work<T> {
    T run(Leading leading) throws Exception;
  }
}
