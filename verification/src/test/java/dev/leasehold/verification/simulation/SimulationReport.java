package dev.leasehold.verification.simulation;

import java.util.List;
import java.util.Map;

/**
 * The result of one seed.
 *
 * @param faults how often each kind of fault happened, by its name
 * @param unfencedCorruptions stale writes that landed in the target without a fence
 * @param fencedRefusals stale writes that fences refused
 * @param coverage how often each coverage point was reached, by its name
 * @param findings what broke an invariant: nothing, or the run has failed
 * @param trace what happened, if a trace was requested
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
    Map<String, Long> coverage,
    List<String> findings,
    String trace) {

  public boolean isClean() {
    return findings.isEmpty();
  }

  /** The findings and the trace, with the command that repeats the run. */
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
