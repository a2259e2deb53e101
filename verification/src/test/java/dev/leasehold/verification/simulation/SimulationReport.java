package dev.leasehold.verification.simulation;

import java.util.List;
import java.util.Map;

/**
 * What one seed did.
 *
 * @param faults how often each kind of fault happened, by its name
 * @param unfencedCorruptions stale writes that landed in the target without a fence
 * @param fencedRefusals stale writes that fences turned away
 * @param deeds how often each deed was done, by its name
 * @param findings what broke an invariant: nothing, or the run has failed
 * @param trace what happened, if it was asked for
 */
public record SimulationReport(
    long seed,
    int processes,
    long simulatedNanos,
    long commands,
    Map<String, Long> faults,
    long grants,
    long takeovers,
    long unknowns,
    long unfencedCorruptions,
    long fencedRefusals,
    Map<String, Long> deeds,
    List<String> findings,
    String trace) {

  public boolean isClean() {
    return findings.isEmpty();
  }

  /** What to read, and what to type to see it again. */
  public String failure(String runAgain) {
    return "seed "
        + seed
        + " broke "
        + String.join("\n  and ", findings)
        + "\nrun it again: "
        + runAgain
        + "\n"
        + trace;
  }
}
