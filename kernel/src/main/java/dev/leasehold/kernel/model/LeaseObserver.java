package dev.leasehold.kernel.model;

/**
 * Receives the events of leases: those of this process, if given to {@link
 * dev.leasehold.kernel.LeasesBuilder#observer}, or those that a server grants to its clients.
 * Metrics, spans and an audit log are made from them.
 *
 * <p>Observing changes nothing. Events come in the order in which they were reported, one at a
 * time, on a thread of their own. An observer may block and may throw: an exception is logged, and
 * events that it is too slow for are dropped; both are counted ({@link
 * dev.leasehold.kernel.ObserverDispatch}).
 */
@FunctionalInterface
public interface LeaseObserver {
  LeaseObserver NONE = event -> {};

  void observed(LeaseEvent event);
}
