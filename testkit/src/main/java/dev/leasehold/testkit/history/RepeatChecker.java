package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * I8: a repeated request changes something at most once, and all its answers agree with each other
 * and with the log. A failed call, and one that was told no, had no effect; whether an unknown one
 * had is what its request id in the log shows.
 */
final class RepeatChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    for (Attempts attempts : history.requests().values()) {
      checkOnce(attempts, findings);
      checkFounded(attempts, findings);
      checkAgreed(attempts, faults, findings);
    }
    checkFailedRenewals(history, findings);
  }

  private static void checkOnce(Attempts attempts, Findings findings) {
    if (attempts.effects().size() > 1) {
      LogEntry first = attempts.effects().get(0);
      LogEntry second = attempts.effects().get(1);
      findings.report(
          Invariant.I8,
          String.format(
              "one request took effect on %s %d times", first.key(), attempts.effects().size()),
          first,
          second);
    }
  }

  private static void checkFounded(Attempts attempts, Findings findings) {
    List<Call> calls = attempts.calls();
    if (attempts.effects().isEmpty() || calls.isEmpty()) {
      return;
    }
    if (calls.stream().allMatch(call -> call.isFailed() || Answers.tellsOfNothing(call))) {
      findings.report(
          Invariant.I8,
          String.format(
              "a request took effect on %s although it had failed or been refused each time it was"
                  + " sent",
              calls.getFirst().ask().key()),
          attempts.effects().getFirst(),
          calls.getFirst());
    }
  }

  private static void checkAgreed(Attempts attempts, Faults faults, Findings findings) {
    @Nullable Call first = null;
    for (Call call : attempts.calls()) {
      if (Answers.tellsOfEffect(call) && !faults.mayHaveUndone(call)) {
        checkLogged(attempts, call, findings);
        if (first == null) {
          first = call;
        } else if (!Answers.toldToken(call).equals(Answers.toldToken(first))) {
          report("was told of different tokens", first, call, findings);
        }
      }
    }
    if (first != null && attempts.calls().size() > 1) {
      checkNotDenied(attempts, first, faults, findings);
    }
  }

  private static void checkLogged(Attempts attempts, Call call, Findings findings) {
    if (attempts.effects().size() != 1) {
      return;
    }
    LogEntry effect = attempts.effects().getFirst();
    Optional<Token> logged = Answers.loggedToken(effect);
    if (!logged.equals(Answers.toldToken(call))) {
      findings.report(
          Invariant.I8,
          String.format(
              "%s was told of another token of %s than the store's log has",
              call.process(), effect.key()),
          call,
          effect);
    }
  }

  /** Once a client was told of the effect, a later attempt is not told that there was none. */
  private static void checkNotDenied(
      Attempts attempts, Call first, Faults faults, Findings findings) {
    for (Call call : attempts.calls()) {
      if (!Answers.tellsOfNothing(call) || faults.mayHaveUndone(call)) {
        continue;
      }
      boolean givenUp =
          call.result() instanceof Result.Ok ok && ok.answer() instanceof Answer.Abandoned;
      if (givenUp || first.returnedBefore(call)) {
        report("took effect, and then it was told that it had not", first, call, findings);
      }
    }
  }

  private static void report(String what, Call first, Call second, Findings findings) {
    findings.report(
        Invariant.I8,
        String.format("one request on %s %s", first.ask().key(), what),
        first,
        second);
  }

  private static final class Renewals {
    int possible;
    @Nullable Call failed;
  }

  /** Renewals have no request id: they are counted. */
  private static void checkFailedRenewals(KeyHistory history, Findings findings) {
    Map<Token, Renewals> byToken = new HashMap<>();
    for (Call call : history.calls()) {
      if (call.ask() instanceof Ask.Renewal renewal) {
        Renewals renewals = byToken.computeIfAbsent(renewal.token(), t -> new Renewals());
        if (call.isFailed()) {
          renewals.failed = call;
        } else if (call.isUnknown() || Answers.tellsOfEffect(call)) {
          renewals.possible++;
        }
      }
    }
    for (LogEntry entry : history.log()) {
      if (entry.effect() instanceof LogEntry.Renewed renewed) {
        Renewals renewals = byToken.get(renewed.token());
        if (renewals != null && --renewals.possible == -1 && renewals.failed != null) {
          findings.report(
              Invariant.I8,
              String.format(
                  "token %s of %s was renewed more often than by calls that may have succeeded: a"
                      + " failed one took effect",
                  renewed.token(), history.key()),
              renewals.failed,
              entry);
        }
      }
    }
  }
}
