package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.HashMap;
import java.util.Map;

/**
 * I7: what was acknowledged survives. Every answer that told of a change has its entry in the log,
 * by the same caller; of renewals, which have no request id, as many as were acknowledged, and one
 * that lasts as long as each was told, where the store's clock was shown when it was sent: so an
 * unknown one that took effect does not stand in for one that was lost. What a planned rollback may
 * have undone is excused. An entry with another token than was told is for {@link RepeatChecker} to
 * report.
 */
final class SurvivalChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    for (Attempts attempts : history.requests().values()) {
      if (attempts.effects().isEmpty()) {
        checkNothingTold(attempts, faults, findings);
      }
    }
    checkRenewals(history, faults, findings);
  }

  private static void checkNothingTold(Attempts attempts, Faults faults, Findings findings) {
    for (Call call : attempts.calls()) {
      if (Answers.tellsOfEffect(call) && !faults.mayHaveUndone(call)) {
        findings.report(
            Invariant.I7,
            String.format(
                "%s was told of an effect on %s that the store's log does not have",
                call.process(), call.ask().key()),
            call);
        return;
      }
    }
  }

  private static final class Renewals {
    int acknowledged;
    int logged;
    long latestExpiryMillis = Long.MIN_VALUE;
  }

  private static void checkRenewals(KeyHistory history, Faults faults, Findings findings) {
    Map<Token, Renewals> byToken = new HashMap<>();
    for (LogEntry entry : history.log()) {
      if (entry.effect() instanceof LogEntry.Renewed renewed) {
        Renewals renewals = byToken.computeIfAbsent(renewed.token(), t -> new Renewals());
        renewals.logged++;
        renewals.latestExpiryMillis =
            Math.max(renewals.latestExpiryMillis, renewed.expiresAtMillis());
      }
    }
    for (Call call : history.calls()) {
      if (!(call.ask() instanceof Ask.Renewal renewal)
          || !Answers.tellsOfEffect(call)
          || faults.mayHaveUndone(call)) {
        continue;
      }
      Renewals renewals = byToken.computeIfAbsent(renewal.token(), t -> new Renewals());
      renewals.acknowledged++;
      if (renewals.acknowledged == renewals.logged + 1) {
        findings.report(
            Invariant.I7,
            String.format(
                "token %s of %s: %d renewals were acknowledged, the store's log has %d",
                renewal.token(), history.key(), renewals.acknowledged, renewals.logged),
            call);
      } else if (call.lastsUntilMillis().orElse(Long.MIN_VALUE) > renewals.latestExpiryMillis) {
        findings.report(
            Invariant.I7,
            String.format(
                "token %s of %s was told to last until store time %d, the store's log has %d",
                renewal.token(),
                history.key(),
                call.lastsUntilMillis().orElseThrow(),
                renewals.latestExpiryMillis),
            call);
      }
    }
  }
}
