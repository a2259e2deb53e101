package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import java.time.Duration;
import java.util.List;

/**
 * The settings of an election, combined with its charter.
 *
 * @param ttl of the request, for what is derived from it
 * @param allowance how long work may run without progress, if a loop does not say
 * @param expectsOthers whether other replicas may exist
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

  /** Checks at least once between two renewals, so that each can report progress. */
  TermWork.Pace pace() {
    return new TermWork.Pace(ttl.toNanos() / PULSES_PER_TTL, allowance);
  }

  /** How long a replica that stepped down is no candidate. */
  long pauseNanos() {
    return expectsOthers ? ttl.toNanos() / PULSES_PER_TTL : 0;
  }

  /** For the work to end by itself, to end after its interrupt, and for the store to answer. */
  long shutdownTimeoutNanos() {
    return 2 * Math.max(SHORTEST_GRACE_NANOS, grace.toNanos()) + LONGEST_RELEASE_NANOS;
  }
}
