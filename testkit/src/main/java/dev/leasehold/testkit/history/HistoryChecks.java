package dev.leasehold.testkit.history;

import java.util.List;

/** Judges a history. Pure: the same history always gets the same verdict. */
public final class HistoryChecks {
  private static final List<Checker> ALL =
      List.of(
          new ExclusionChecker(),
          new TokenOrderChecker(),
          new EndedGrantChecker(),
          new EndedByCallsChecker(),
          new FenceChecker(),
          new AtEffectChecker(),
          new SurvivalChecker(),
          new RemainingChecker(),
          new RepeatChecker());

  private static final List<Checker> OF_CALLS_ALONE =
      List.of(
          new ExclusionByCallsChecker(),
          new TokenOrderChecker(),
          new EndedByCallsChecker(),
          new FenceChecker(),
          new RepeatChecker());

  private HistoryChecks() {}

  /** Every invariant that a history can show, against the store's own log. */
  public static CheckResult check(History history) {
    return run(ALL, history);
  }

  /**
   * What can be said where the store shows no log: I2, I3, I4 and I8 as far as answers tell, and I1
   * between grants that follow directly on one another. I5, I6 and I7 need the log.
   */
  public static CheckResult checkCallsAlone(History history) {
    return run(OF_CALLS_ALONE, history);
  }

  private static CheckResult run(List<Checker> checkers, History history) {
    Findings findings = new Findings();
    Faults faults = history.faults();
    for (KeyHistory key : history.keys()) {
      for (Checker checker : checkers) {
        checker.check(key, faults, findings);
      }
    }
    return findings.verdict(Counting.of(history));
  }
}
