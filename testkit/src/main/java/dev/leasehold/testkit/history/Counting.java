package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Tally.Count;

/** Counts what happened, for the {@link Tally}. */
final class Counting {
  private Counting() {}

  static Tally of(History history) {
    Tally tally = new Tally();
    for (KeyHistory key : history.keys()) {
      countLog(key, tally);
      countCalls(key, tally);
      countRequests(key, tally);
      tally.add(
          Count.REFUSALS,
          key.targetEvents().stream()
              .filter(event -> event.action() instanceof TargetEvent.Refused)
              .count());
    }
    return tally;
  }

  private static void countLog(KeyHistory history, Tally tally) {
    long grants = 0;
    long takeovers = 0;
    long lapses = 0;
    Tenure tenure = new Tenure();
    for (LogEntry entry : history.log()) {
      if (entry.effect() instanceof LogEntry.Beginning) {
        grants++;
      }
      boolean lapsedBefore = tenure.isLapsed();
      if (entry.effect() instanceof LogEntry.Granted && tenure.begun().isPresent()) {
        takeovers++;
        // One that was found expired before it was taken over has expired once.
        lapses -= lapsedBefore ? 1 : 0;
      }
      tenure.apply(entry);
      if (entry.effect() instanceof LogEntry.Lapsed) {
        lapses++;
      }
    }
    if (history.log().isEmpty()) {
      grants = history.issues().inTokenOrder().size();
      takeovers = ExclusionByCallsChecker.takeovers(history);
    }
    tally.add(Count.GRANTS, grants);
    tally.add(Count.TAKEOVERS, takeovers);
    tally.add(Count.EXPIRIES, takeovers + lapses);
  }

  private static void countCalls(KeyHistory history, Tally tally) {
    long refused = 0;
    long unknown = 0;
    long expired = 0;
    for (Call call : history.calls()) {
      unknown += call.isUnknown() ? 1 : 0;
      refused += Answers.tellsOfNothing(call) ? 1 : 0;
      expired +=
          call.result() instanceof Result.Ok ok
                  && ok.answer() instanceof Answer.Lost lost
                  && lost.reason().equals("expired")
              ? 1
              : 0;
    }
    tally.add(Count.REFUSALS, refused);
    tally.add(Count.UNKNOWNS, unknown);
    if (history.log().isEmpty()) {
      tally.add(Count.EXPIRIES, expired);
    }
  }

  private static void countRequests(KeyHistory history, Tally tally) {
    long retries = 0;
    long applied = 0;
    for (Attempts attempts : history.requests().values()) {
      retries += attempts.calls().size() > 1 ? 1 : 0;
      if (!attempts.effects().isEmpty()) {
        applied += attempts.calls().stream().filter(Call::isUnknown).count();
      }
    }
    tally.add(Count.RETRIES, retries);
    tally.add(Count.UNKNOWNS_APPLIED, applied);
  }
}
