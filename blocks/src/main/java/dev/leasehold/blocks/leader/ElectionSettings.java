package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.LeaseCharter.Handoff;
import dev.leasehold.kernel.LeaseRequest;
import java.time.Duration;
import java.util.List;

/**
 * What an election was started with, settled with its charter.
 *
 * @param ttl of the request, for what is derived from it
 * @param allowance how long work may run without progress that says nothing of its own
 * @param expectsOthers whether there are other replicas, as far as is known
 */
record ElectionSettings(
    String name,
    LeaseRequest request,
    Duration ttl,
    Duration grace,
    Duration allowance,
    Handoff handoff,
    List<LeaderLoop> loops,
    List<ElectionListener> listeners,
    Election.WarmUp warmUp,
    boolean expectsOthers) {

  private static final int PULSES_PER_TTL = 6;
  private static final long SHORTEST_GRACE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_RELEASE_NANOS = Duration.ofSeconds(10).toNanos();

  ElectionSettings {
    loops = List.copyOf(loops);
    listeners = List.copyOf(listeners);
  }

  /** At least once between two renewals, so that each can carry news. */
  TermWork.Pace pace() {
    return new TermWork.Pace(ttl.toNanos() / PULSES_PER_TTL, allowance);
  }

  /** How long a replica that stepped down leaves the lease to others. */
  long pauseNanos() {
    return expectsOthers ? ttl.toNanos() / PULSES_PER_TTL : 0;
  }

  /** For the work to end by itself, to end when interrupted, and for the store to answer. */
  long shutdownTimeoutNanos() {
    return 2 * Math.max(SHORTEST_GRACE_NANOS, grace.toNanos()) + LONGEST_RELEASE_NANOS;
  }
}
