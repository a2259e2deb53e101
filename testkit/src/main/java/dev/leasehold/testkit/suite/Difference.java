package dev.leasehold.testkit.suite;

import dev.leasehold.testkit.random.Seed;
import java.util.List;

/**
 * Where a store and its reference part, after as few steps as could be found.
 *
 * @param seed what the steps came from
 * @param found after how many generated steps it was seen
 * @param script the steps that are left, the last of which shows it
 * @param what which answer or record differs, or which invariant does not hold
 */
public record Difference(
    Seed seed, int found, List<String> script, String what, String expected, String actual) {
  public Difference {
    script = List.copyOf(script);
  }

  /** How many steps it takes to see it. */
  public int steps() {
    return script.size();
  }

  @Override
  public String toString() {
    return String.format(
        "The store differs from its reference (seen at step %d, shown by these %d):%n%n%s%n"
            + "%s%n  expected %s%n  actual   %s%n",
        found, script.size(), String.join("\n", script), what, expected, actual);
  }
}
