package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.LossReason;

/**
 * Is told of an election, one call at a time and in order: of each term that it was elected, that
 * it is ending, and that it is lost, once each. Work that belongs to a term is better a {@link
 * LeaderLoop}, which is stopped and waited for.
 *
 * <p>What it throws is logged and counted, and costs no lease. Nothing else of this election is
 * told while a call lasts, and no loop begins before {@link #elected} has returned: if that takes
 * longer than two ttls, the lease is lost.
 */
public interface ElectionListener {
  /** The store has granted the term, and the targets are sealed. */
  default void elected(Term term) {}

  /** The term will end, or has ended: stop. */
  default void ending(Term term) {}

  /**
   * The term is over. {@link LossReason.Released} says that this replica gave it up by itself, to
   * nobody or to an heir: this is told before the store is.
   */
  default void lost(Term term, LossReason reason) {}

  /** Somebody leads under a new token, perhaps this replica. */
  default void observed(Leader leader) {}

  /** A loop has thrown this while it led. It is begun again after a while. */
  default void failed(LeaderLoop loop, Throwable failure) {}
}
