package dev.leasehold.testkit.history;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the checks found.
 *
 * @param violations up to 20 of each invariant
 * @param count how many there were
 * @param tally what the run did: one in which nothing happened proves nothing
 */
public record CheckResult(List<Violation> violations, long count, Tally tally) {
  public CheckResult {
    violations = List.copyOf(violations);
  }

  public Set<Invariant> broken() {
    Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
    violations.forEach(violation -> broken.add(violation.invariant()));
    return broken;
  }

  /** Fails with every violation that was kept, if there is one. */
  public void requireClean() {
    if (count > 0) {
      throw new AssertionError(toString());
    }
  }

  @Override
  public String toString() {
    return violations.stream()
        .map(Violation::toString)
        .collect(Collectors.joining("\n", count + " violations, " + tally + "\n", ""));
  }
}
