package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.model.LossReason;

/**
 * Receives the events of an election, one call at a time and in order: elected, ending and lost,
 * once each for a term. Work that belongs to a term is better a {@link LeaderLoop}, which the
 * election stops and waits for. Metrics and logs are better made by a {@link
 * dev.leasehold.kernel.model.LeaseObserver} of {@link ElectionEvent}s, which delays nothing; an
 * election waits for its listeners, so a listener can prepare what its loops need.
 *
 * <p>The election logs and counts what a listener throws, and goes on. A call delays all later
 * calls, and no loop begins before {@link #elected} has returned: if that takes longer than two
 * ttls, the lease is lost.
 */
public interface ElectionListener {
  /** The store has granted the term, and the targets are sealed. */
  default void elected(Term term) {}

  /** The term will end, or has ended: stop. */
  default void ending(Term term) {}

  /**
   * The term is over. {@link LossReason.Released} means that this replica released it or handed it
   * over; the call then comes before the store is told.
   */
  default void lost(Term term, LossReason reason) {}

  /** A replica, perhaps this one, leads under a new token. */
  default void observed(Leader leader) {}

  /** A loop has thrown this while this replica led. The loop starts again after a backoff. */
  default void failed(LeaderLoop loop, Throwable failure) {}
}
