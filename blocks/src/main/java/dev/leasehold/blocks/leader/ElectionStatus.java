package dev.leasehold.blocks.leader;

import java.util.List;
import java.util.Optional;

/**
 * The status of an election, for health endpoints and people. It may be outdated when it is read:
 * to act as the leader, use {@link Election#whileLeading}.
 *
 * @param replica the name of this replica
 * @param term only while the lease may be trusted
 * @param leader the leader that this replica saw last
 * @param sinceNanos since when it has its role, on the ticker of {@code Leases}
 * @param stillRunning the runs under a term, also of one that is over: until they end, this replica
 *     is no candidate
 * @param lastError the last attempt that failed, listener that threw or loop that failed
 * @param listenerErrors since the election was started
 */
public record ElectionStatus(
    String name,
    String replica,
    Role role,
    Optional<Term> term,
    Optional<Leader> leader,
    long sinceNanos,
    List<String> stillRunning,
    List<LoopStatus> loops,
    Optional<String> lastError,
    long listenerErrors) {

  public ElectionStatus {
    stillRunning = List.copyOf(stillRunning);
    loops = List.copyOf(loops);
  }

  ElectionStatus withoutTerm() {
    return new ElectionStatus(
        name,
        replica,
        role,
        Optional.empty(),
        leader,
        sinceNanos,
        stillRunning,
        loops,
        lastError,
        listenerErrors);
  }
}
