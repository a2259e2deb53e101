package dev.leasehold.blocks.leader;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LossReason;

/**
 * What an election tells the {@linkplain dev.leasehold.kernel.model.LeaseObserver observers} of its
 * {@code Leases}, beside the events of its lease.
 */
public sealed interface ElectionEvent extends LeaseEvent.OfBlock {
  Term term();

  @Override
  default LeaseKey key() {
    return term().key();
  }

  /** This replica leads: it has the lease, and the targets are sealed. */
  record Elected(Term term) implements ElectionEvent {}

  /**
   * This replica leads no longer. {@link LossReason.Released} means that it stepped down by itself:
   * it was asked to, handed over, or closed its election.
   */
  record TermOver(Term term, LossReason reason) implements ElectionEvent {}

  /** A loop has thrown this while this replica led. It starts again after a backoff. */
  record LoopFailed(Term term, String loop, Throwable failure) implements ElectionEvent {}
}
