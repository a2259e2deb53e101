package dev.leasehold.blocks.leader;

import java.util.List;
import java.util.Optional;

/**
 * How an election stands, for health endpoints and people. It is true of the moment it was asked
 * for; whoever wants to act asks {@link Election#whileLeading}.
 *
 * @param replica who this is, to people
 * @param term only while the lease may be trusted
 * @param leader who leads, as far as this replica was told
 * @param sinceNanos since when it has its role, on the ticker of {@code Leases}
 * @param stillRunning what runs under a term, or still runs although it is over: as long as that is
 *     so, this replica is no candidate
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
