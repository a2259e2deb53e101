package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Issues.Issue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I1 where the store shows no log: the grants that clients were told of, in the order of their
 * tokens, are the log. A grant that follows directly on another must not begin before that one is
 * over, unless a command may have ended it. It lasts until the latest moment that an answer has
 * promised: by the first grant, and by renewals where the store's clock was shown when they were
 * sent. Undecidable cases are skipped.
 */
final class ExclusionByCallsChecker implements Checker {
  /** A grant and the next one of its key, where no command ended the first in between. */
  private record Succession(Issue before, Call promise, Issue after) {
    /** Whether the second began while the first had not run out, as far as both were told. */
    boolean overlaps() {
      Answer.Granted next = (Answer.Granted) after.told().answer().orElseThrow();
      return next.grantedAtMillis() < promise.lastsUntilMillis().orElseThrow();
    }
  }

  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    for (Succession succession : successions(history)) {
      if (succession.overlaps()) {
        findings.report(
            Invariant.I1,
            String.format(
                "token %s of %s was granted before token %s had expired, and no command had ended"
                    + " it",
                succession.after().token(), history.key(), succession.before().token()),
            succession.promise(),
            succession.after().told());
      }
    }
  }

  /** How often a grant followed on one that had run out. */
  static long takeovers(KeyHistory history) {
    return successions(history).stream().filter(succession -> !succession.overlaps()).count();
  }

  private static List<Succession> successions(KeyHistory history) {
    List<Succession> successions = new ArrayList<>();
    List<Issue> issues = history.issues().inTokenOrder();
    Endings endings = Endings.of(history);
    Map<Token, Call> promises = promises(history);
    for (int i = 1; i < issues.size(); i++) {
      Issue before = issues.get(i - 1);
      Issue after = issues.get(i);
      Call promise = promises.get(before.token());
      // A gap in the tokens may be a void one, which has ended the earlier grant.
      boolean direct = after.token().value() - before.token().value() == 1;
      if (direct && promise != null && isGranted(after) && !endings.mayHaveEnded(before)) {
        successions.add(new Succession(before, promise, after));
      }
    }
    return successions;
  }

  /** For each token the answer that lets its grant last longest. */
  private static Map<Token, Call> promises(KeyHistory history) {
    Map<Token, Call> promises = new HashMap<>();
    for (Call call : history.calls()) {
      Optional<Token> token =
          call.ask() instanceof Ask.Renewal renewal ? Optional.of(renewal.token()) : call.issued();
      if (token.isPresent() && call.lastsUntilMillis().isPresent()) {
        promises.merge(token.get(), call, ExclusionByCallsChecker::longer);
      }
    }
    return promises;
  }

  private static Call longer(Call a, Call b) {
    return a.lastsUntilMillis().orElseThrow() >= b.lastsUntilMillis().orElseThrow() ? a : b;
  }

  private static boolean isGranted(Issue issue) {
    return issue.told().result() instanceof Result.Ok ok && ok.answer() instanceof Answer.Granted;
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
