package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Remembered;
import java.util.HashSet;
import java.util.Set;

/**
 * I3 along the log: nothing is renewed or handed over that has ended, lapsed or expired, and no
 * request is granted that was given up. A change at effect by a grant that has ended is for {@link
 * AtEffectChecker} to report, and what clients were told for {@link EndedByCallsChecker}.
 */
final class EndedGrantChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    Tenure tenure = new Tenure();
    Set<Remembered.Request> handOvers = new HashSet<>();
    Set<Remembered.Request> abandons = new HashSet<>();
    for (LogEntry entry : history.log()) {
      switch (entry.effect()) {
        case LogEntry.Renewed renewed -> checkRenewal(tenure, entry, renewed.token(), findings);
        case LogEntry.HandedOver handedOver -> {
          // One request that acts twice is for the checker of repeats to report.
          if (handOvers.add(handedOver.by()) && !tenure.isCurrent(handedOver.given())) {
            report("handed over", handedOver.given(), entry, findings);
          }
        }
        case LogEntry.Abandoned abandoned -> abandons.add(abandoned.by());
        case LogEntry.Granted granted -> {
          if (abandons.contains(abandonOf(granted.by()))) {
            findings.report(
                Invariant.I3,
                String.format(
                    "token %s of %s was granted to request %s, which had been abandoned",
                    granted.token(), entry.key(), granted.by().requestId()),
                entry);
          }
        }
        default -> {}
      }
      tenure.apply(entry);
    }
  }

  private static Remembered.Request abandonOf(Remembered.Request acquire) {
    return new Remembered.Request(acquire.requestId(), acquire.caller(), Remembered.Verb.ABANDON);
  }

  private static void checkRenewal(Tenure tenure, LogEntry entry, Token token, Findings findings) {
    if (!tenure.isCurrent(token)) {
      report("renewed", token, entry, findings);
    } else if (!tenure.isRenewable(token, entry.storeMillis())) {
      findings.report(
          Invariant.I3,
          String.format(
              "token %s of %s was renewed at store time %d, though it had %s at %d",
              token,
              entry.key(),
              entry.storeMillis(),
              tenure.isLapsed() ? "been found expired, its time having run out" : "expired",
              tenure.expiresAtMillis()),
          tenure.begun().orElseThrow(),
          entry);
    }
  }

  private static void report(String what, Token token, LogEntry entry, Findings findings) {
    findings.report(
        Invariant.I3,
        String.format(
            "token %s of %s was %s at store time %d, though its grant was not current any more",
            token, entry.key(), what, entry.storeMillis()),
        entry);
  }
}
