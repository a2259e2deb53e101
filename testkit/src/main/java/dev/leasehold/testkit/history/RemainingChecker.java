package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * I6, as far as the store has a part in it: no holder is told of more time than its grant had, by
 * the log, when it was written. A holder that is told more believes for longer than the store does.
 * Grants of which the log has nothing are for {@link SurvivalChecker} to report.
 */
final class RemainingChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    Map<Token, Long> longest = new HashMap<>();
    for (LogEntry entry : history.log()) {
      switch (entry.effect()) {
        case LogEntry.Beginning begun ->
            longest.merge(begun.token(), lasts(entry, begun.expiresAtMillis()), Math::max);
        case LogEntry.Renewed renewed ->
            longest.merge(renewed.token(), lasts(entry, renewed.expiresAtMillis()), Math::max);
        default -> {}
      }
    }
    for (Call call : history.calls()) {
      Optional<Told> told = told(call);
      Long most = told.map(Told::token).map(longest::get).orElse(null);
      if (most != null && told.get().remainingMillis() > most && !faults.mayHaveUndone(call)) {
        findings.report(
            Invariant.I6,
            String.format(
                "token %s of %s was told to have %d ms left, the store's log never gave it more"
                    + " than %d",
                told.get().token(), history.key(), told.get().remainingMillis(), most),
            call);
      }
    }
  }

  private static long lasts(LogEntry entry, long expiresAtMillis) {
    return expiresAtMillis - entry.storeMillis();
  }

  private record Told(Token token, long remainingMillis) {}

  private static Optional<Told> told(Call call) {
    if (!(call.result() instanceof Result.Ok ok)) {
      return Optional.empty();
    }
    if (ok.answer() instanceof Answer.Granted granted) {
      return Optional.of(new Told(granted.token(), granted.remainingMillis()));
    }
    return ok.answer() instanceof Answer.Renewed renewed && call.ask() instanceof Ask.Renewal asked
        ? Optional.of(new Told(asked.token(), renewed.remainingMillis()))
        : Optional.empty();
  }
}
