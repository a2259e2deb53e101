package dev.leasehold.verification.simulation;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** The totals of many runs. Several threads add to them. */
final class Figures {
  private final Map<String, Long> faults = new TreeMap<>();
  private final Map<String, Long> coverage = new TreeMap<>();
  private long seeds;
  private long nanos;
  private long commands;
  private long grants;
  private long takeovers;
  private long unknowns;
  private long corruptions;
  private long corruptedSeeds;
  private long refusals;

  synchronized void add(SimulationReport report) {
    seeds++;
    nanos += report.simulatedNanos();
    commands += report.commands();
    grants += report.grants();
    takeovers += report.takeovers();
    unknowns += report.unknowns();
    corruptions += report.unfencedCorruptions();
    corruptedSeeds += report.unfencedCorruptions() > 0 ? 1 : 0;
    refusals += report.fencedRefusals();
    report.coverage().forEach((point, count) -> coverage.merge(point, count, Long::sum));
    report.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
  }

  /** Faults that never happen prove nothing. */
  synchronized void requireAllKinds() {
    for (FaultKind kind : FaultKind.values()) {
      if (!faults.containsKey(kind.name())) {
        throw new AssertionError(kind + " never happened in " + seeds + " seeds: " + faults);
      }
    }
    for (CoveragePoint point : CoveragePoint.values()) {
      if (!coverage.containsKey(point.name())) {
        throw new AssertionError(point + " was never reached in " + seeds + " seeds: " + coverage);
      }
    }
  }

  synchronized long takeovers() {
    return takeovers;
  }

  synchronized long unknowns() {
    return unknowns;
  }

  synchronized long corruptions() {
    return corruptions;
  }

  synchronized long refusals() {
    return refusals;
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d seeds, %d simulated hours, %d commands, %d grants, %d takeovers, %d unknown"
                + " outcomes%n",
            seeds, Duration.ofNanos(nanos).toHours(), commands, grants, takeovers, unknowns));
    text.append(
        String.format(
            "%d stale writes refused by fences; %d landed without a fence, in %d seeds%n",
            refusals, corruptions, corruptedSeeds));
    faults.forEach((kind, count) -> text.append(String.format("%-28s %d%n", kind, count)));
    coverage.forEach((point, count) -> text.append(String.format("%-28s %d%n", point, count)));
    return text.toString();
  }
}
