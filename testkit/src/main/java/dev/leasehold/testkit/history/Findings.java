package dev.leasehold.testkit.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects violations: all are counted, and enough of each invariant are kept to be read. */
final class Findings {
  private static final int KEPT_EACH = 20;

  private final Map<Invariant, List<Violation>> kept = new EnumMap<>(Invariant.class);
  private long count;

  void report(Invariant invariant, String sentence, Evidence... evidence) {
    count++;
    List<Violation> ofInvariant = kept.computeIfAbsent(invariant, i -> new ArrayList<>());
    if (ofInvariant.size() < KEPT_EACH) {
      ofInvariant.add(new Violation(invariant, sentence, List.of(evidence)));
    }
  }

  CheckResult verdict(Tally tally) {
    List<Violation> all = kept.values().stream().flatMap(List::stream).toList();
    return new CheckResult(all, count, tally);
  }
}
