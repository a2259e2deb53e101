package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Issues.Issue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * I1 where the store shows no log: the grants that clients were told of, in the order of their
 * tokens, are the log. A grant that follows directly on another must not begin before that one's
 * first expiry, unless somebody may have ended it. What cannot be known is passed over.
 */
final class ExclusionByCallsChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    List<Issue> issues = history.issues().inTokenOrder();
    Endings endings = Endings.of(history);
    for (int i = 1; i < issues.size(); i++) {
      Issue before = issues.get(i - 1);
      Issue after = issues.get(i);
      // A gap in the tokens may be a void one, which has ended the earlier grant.
      boolean direct = after.token().value() - before.token().value() == 1;
      if (direct && overlap(before, after) && !endings.mayHaveEnded(before)) {
        findings.report(
            Invariant.I1,
            String.format(
                "token %s of %s was granted before token %s had expired, and nobody had ended it",
                after.token(), history.key(), before.token()),
            before.told(),
            after.told());
      }
    }
  }

  private static boolean overlap(Issue before, Issue after) {
    return before.told().result() instanceof Result.Ok okBefore
        && after.told().result() instanceof Result.Ok okAfter
        && okBefore.answer() instanceof Answer.Granted earlier
        && okAfter.answer() instanceof Answer.Granted later
        && later.grantedAtMillis() < earlier.expiresAtMillis();
  }

  /** Grants that their holders gave back, passed on or gave up, or may have. */
  private record Endings(Set<Token> tokens, Set<RequestId> requests) {
    static Endings of(KeyHistory history) {
      Endings endings = new Endings(new HashSet<>(), new HashSet<>());
      for (Call call : history.calls()) {
        boolean possible = call.isUnknown() || Answers.tellsOfEffect(call);
        if (possible && call.ask() instanceof Ask.Requested requested) {
          requested.token().ifPresent(endings.tokens::add);
          if (requested.request().verb() == Remembered.Verb.ABANDON) {
            endings.requests.add(requested.request().requestId());
          }
        }
      }
      return endings;
    }

    boolean mayHaveEnded(Issue issue) {
      return tokens.contains(issue.token())
          || (issue.told().ask() instanceof Ask.Requested requested
              && requests.contains(requested.request().requestId()));
    }
  }
}
