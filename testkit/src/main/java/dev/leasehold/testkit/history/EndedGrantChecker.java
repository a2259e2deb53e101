package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Issues.HighestTold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I3: a grant that has ended never becomes valid again. Along the log: nothing is renewed or handed
 * over that has ended, lapsed or expired, and no request is granted that was given up. In real
 * time: once a client was told of a grant's end, no later renewal of it succeeds. A change at
 * effect by a grant that has ended is for {@link AtEffectChecker} to report.
 */
final class EndedGrantChecker implements Checker {
  /** Reasons of a loss after which the grant cannot be valid. A stall is decided once more. */
  private static final Set<String> FINAL =
      Set.of("expired", "superseded", "released", "revoked", "incarnationadvanced");

  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    checkLog(history, findings);
    List<Call> renewed = renewed(history);
    if (!renewed.isEmpty()) {
      checkFollowed(history, renewed, findings);
      checkToldEnded(history, renewed, findings);
    }
  }

  private static void checkLog(KeyHistory history, Findings findings) {
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

  /** Renewals that clients were told to have succeeded, in the order in which they were sent. */
  private static List<Call> renewed(KeyHistory history) {
    List<Call> renewed = new ArrayList<>();
    for (Call call : history.calls()) {
      if (call.result() instanceof Result.Ok ok && ok.answer() instanceof Answer.Renewed) {
        renewed.add(call);
      }
    }
    renewed.sort(Comparator.comparingLong(Call::calledNanos));
    return renewed;
  }

  private static void checkFollowed(KeyHistory history, List<Call> renewed, Findings findings) {
    HighestTold told = new HighestTold(history.issues().inReturnOrder());
    for (Call call : renewed) {
      Token token = ((Ask.Renewal) call.ask()).token();
      if (told.isAbove(token, call.calledNanos())) {
        findings.report(
            Invariant.I3,
            String.format(
                "token %s of %s was renewed by a call sent after token %s had been told",
                token, history.key(), told.issue().token()),
            told.issue().told(),
            call);
      }
    }
  }

  private static void checkToldEnded(KeyHistory history, List<Call> renewed, Findings findings) {
    Map<Token, Call> ends = new HashMap<>();
    for (Call call : history.calls()) {
      if (call.result() instanceof Result.Ok ok) {
        toldEnded(call.ask(), ok.answer())
            .ifPresent(ended -> ends.merge(ended, call, EndedGrantChecker::earlier));
      }
    }
    for (Call call : renewed) {
      Call end = ends.get(((Ask.Renewal) call.ask()).token());
      if (end != null && end.returnedBefore(call)) {
        findings.report(
            Invariant.I3,
            String.format(
                "token %s of %s was renewed by a call sent after its end had been told",
                ((Ask.Renewal) call.ask()).token(), history.key()),
            end,
            call);
      }
    }
  }

  private static Call earlier(Call a, Call b) {
    return a.returnedNanos() <= b.returnedNanos() ? a : b;
  }

  /** The token whose end the answer tells of. */
  private static Optional<Token> toldEnded(Ask ask, Answer answer) {
    return switch (answer) {
      case Answer.Ended ended -> Optional.of(ended.token());
      case Answer.Released released -> brought(ask);
      case Answer.HandedOver handedOver -> brought(ask);
      case Answer.Lost lost -> FINAL.contains(lost.reason()) ? brought(ask) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Token> brought(Ask ask) {
    return switch (ask) {
      case Ask.Requested requested -> requested.token();
      case Ask.Renewal renewal -> Optional.of(renewal.token());
    };
  }
}
