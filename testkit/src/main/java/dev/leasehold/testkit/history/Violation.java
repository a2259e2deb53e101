package dev.leasehold.testkit.history;

import java.util.List;
import java.util.stream.Collectors;

/** One way in which a history broke an invariant, and the events that prove it. */
public record Violation(Invariant invariant, String sentence, List<Evidence> evidence) {
  public Violation {
    evidence = List.copyOf(evidence);
  }

  @Override
  public String toString() {
    return evidence.stream()
        .map(Evidence::toString)
        .collect(Collectors.joining("\n    ", invariant + ": " + sentence + "\n    ", ""));
  }
}
