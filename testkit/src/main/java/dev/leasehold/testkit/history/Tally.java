package dev.leasehold.testkit.history;

import java.util.EnumMap;
import java.util.Map;

/** How much happened in a run, so that one that tried nothing cannot pass for a test. */
public final class Tally {
  /** What is counted. */
  public enum Count {
    GRANTS,
    /** Grants that followed an expired one that no command had ended. */
    TAKEOVERS,
    /** Clients that were told no, and changes that targets turned away. */
    REFUSALS,
    /** Calls whose outcome their client never knew. */
    UNKNOWNS,
    /** Unknown calls that the store's log shows to have taken effect. */
    UNKNOWNS_APPLIED,
    /** Grants that were taken over, or found expired by a renewal. */
    EXPIRIES,
    /** Requests that were sent more than once. */
    RETRIES
  }

  private final Map<Count, Long> counts = new EnumMap<>(Count.class);

  void add(Count what, long more) {
    counts.merge(what, more, Long::sum);
  }

  public long of(Count what) {
    return counts.getOrDefault(what, 0L);
  }

  /** Fails if there were fewer: the run was no test of it. */
  public void requireAtLeast(Count what, long floor) {
    if (of(what) < floor) {
      throw new AssertionError(
          "the run was no test: "
              + of(what)
              + " of "
              + what
              + ", at least "
              + floor
              + " are needed; in all "
              + this);
    }
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
