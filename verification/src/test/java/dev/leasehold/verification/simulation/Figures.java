package dev.leasehold.verification.simulation;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What many runs came to. Several threads add to it. */
final class Figures {
  private final Map<String, Long> faults = new TreeMap<>();
  private final Map<String, Long> deeds = new TreeMap<>();
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
    report.deeds().forEach((deed, count) -> deeds.merge(deed, count, Long::sum));
    report.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
  }

  /** Faults that never happen prove nothing. */
  synchronized void requireAllKinds() {
    for (FaultKind kind : FaultKind.values()) {
      if (!faults.containsKey(kind.name())) {
        throw new AssertionError(kind + " never happened in " + seeds + " seeds: " + faults);
      }
    }
    for (Deed deed : Deed.values()) {
      if (!deeds.containsKey(deed.name())) {
        throw new AssertionError(deed + " was never done in " + seeds + " seeds: " + deeds);
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
    deeds.forEach((deed, count) -> text.append(String.format("%-28s %d%n", deed, count)));
    return text.toString();
  }
}
