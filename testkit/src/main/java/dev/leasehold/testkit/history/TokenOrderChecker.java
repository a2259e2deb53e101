package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Issues.HighestTold;
import dev.leasehold.testkit.history.Issues.Issue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * I2: tokens of a key strictly increase, void ones included: along the log, and in real time. If a
 * client was told of a number before another request was even sent, that request gets a higher one;
 * this needs no log, and so it holds across a restored backup, whose log has lost its end.
 */
final class TokenOrderChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    checkLog(history, findings);
    Issues issues = history.issues();
    checkTwice(issues.inTokenOrder(), findings);
    checkRealTime(issues, findings);
    checkAdvances(issues, faults, findings);
  }

  private static void checkLog(KeyHistory history, Findings findings) {
    long highest = 0;
    @Nullable LogEntry highestEntry = null;
    for (LogEntry entry : history.log()) {
      long reached =
          switch (entry.effect()) {
            case LogEntry.Issuing issuing -> issuing.issued().value();
            case LogEntry.Purged purged -> purged.floor().value();
            default -> 0;
          };
      // A floor may stand where the last token stood; a new token may not.
      boolean isNew = entry.effect() instanceof LogEntry.Issuing;
      if (highestEntry != null && reached > 0 && (isNew ? reached <= highest : reached < highest)) {
        findings.report(
            Invariant.I2,
            String.format(
                "%s went to token %d after it had reached %d", entry.key(), reached, highest),
            highestEntry,
            entry);
      }
      if (reached > highest) {
        highest = reached;
        highestEntry = entry;
      }
    }
  }

  private static void checkTwice(List<Issue> inTokenOrder, Findings findings) {
    for (int i = 1; i < inTokenOrder.size(); i++) {
      Issue first = inTokenOrder.get(i - 1);
      Issue second = inTokenOrder.get(i);
      if (first.token().equals(second.token())) {
        findings.report(
            Invariant.I2,
            String.format("token %s of %s was given to two requests", first.token(), keyOf(first)),
            first.told(),
            second.told());
      }
    }
  }

  private static void checkRealTime(Issues issues, Findings findings) {
    HighestTold told = new HighestTold(issues.inReturnOrder());
    for (Issue issue : issues.inCallOrder()) {
      if (told.isAbove(issue.token(), issue.calledNanos())) {
        findings.report(
            Invariant.I2,
            String.format(
                "token %s of %s was given to a request that was sent after token %s had been told",
                issue.token(), keyOf(issue), told.issue().token()),
            told.issue().told(),
            issue.told());
      }
    }
  }

  private static void checkAdvances(Issues issues, Faults faults, Findings findings) {
    for (Issue issue : issues.inCallOrder()) {
      Optional<Fault.IncarnationAdvanced> advance = faults.advanceBefore(issue.calledNanos());
      if (advance.isPresent() && issue.token().incarnation() < advance.get().incarnation()) {
        findings.report(
            Invariant.I2,
            String.format(
                "token %s of %s is of incarnation %d, but its request was sent after the advance"
                    + " to %d",
                issue.token(),
                keyOf(issue),
                issue.token().incarnation(),
                advance.get().incarnation()),
            advance.get(),
            issue.told());
      }
    }
  }

  private static String keyOf(Issue issue) {
    return issue.told().ask().key().text();
  }
}
