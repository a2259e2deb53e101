package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;

/** The result of work that was to run while this replica leads. */
public sealed interface LeaderWorkResult<T> {
  /** The work returned, and this replica led until then, as far as it could know. */
  record Done<T>(T result) implements LeaderWorkResult<T> {}

  /** The work did not run; the leader, if this replica knows it. */
  record NotLeading<T>(Optional<Leader> leader) implements LeaderWorkResult<T> {}

  /** The term was lost while the work ran, which was interrupted and may have thrown. */
  record LostMeanwhile<T>(LossReason reason, Optional<Exception> thrown)
      implements LeaderWorkResult<T> {}

  /** Work that runs under a term. */
  @FunctionalInterface
  interface Work<T> {
    T run(Leading leading) throws Exception;
  }
}
