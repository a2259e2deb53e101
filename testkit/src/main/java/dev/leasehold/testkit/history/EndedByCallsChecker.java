package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Issues.HighestTold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I3 in real time: once a client was told of a grant's end, of a token above it or of a higher
 * incarnation, no call that is sent later is told that the grant is valid: neither a renewal nor a
 * repeat of the request that it came from. And what was given up is not granted to a call sent
 * after that was acknowledged.
 */
final class EndedByCallsChecker implements Checker {
  /** Reasons of a loss after which the grant cannot be valid. A stall is decided once more. */
  private static final Set<String> FINAL =
      Set.of("expired", "superseded", "released", "revoked", "incarnationadvanced");

  /**
   * A call that was told that a grant is valid.
   *
   * @param sinceNanos when its request was first sent. What went before is no end of this grant,
   *     but shows that its token is not new, which {@link TokenOrderChecker} reports
   */
  private record Success(Call call, Token token, String what, long sinceNanos) {
    boolean wasSentAfter(long nanos) {
      return nanos < call.calledNanos() && nanos >= sinceNanos;
    }
  }

  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    List<Success> successes = successes(history);
    if (!successes.isEmpty()) {
      checkFollowed(history, successes, findings);
      checkToldEnded(history, successes, findings);
      checkAdvances(successes, faults, findings);
    }
    checkGivenUp(history, faults, findings);
  }

  /** In the order in which they were sent. */
  private static List<Success> successes(KeyHistory history) {
    List<Success> successes = new ArrayList<>();
    for (Call call : history.calls()) {
      if (call.ask() instanceof Ask.Renewal renewal && Answers.tellsOfEffect(call)) {
        successes.add(new Success(call, renewal.token(), "renewed", Long.MIN_VALUE));
      }
    }
    for (Attempts attempts : history.requests().values()) {
      long sinceNanos = attempts.firstCalledNanos();
      for (Call call : attempts.calls()) {
        if (sinceNanos < call.calledNanos() && isGranted(call)) {
          Token token = call.issued().orElseThrow();
          successes.add(new Success(call, token, "told to be granted still", sinceNanos));
        }
      }
    }
    successes.sort(Comparator.comparingLong(success -> success.call().calledNanos()));
    return successes;
  }

  private static boolean isGranted(Call call) {
    return call.result() instanceof Result.Ok ok && ok.answer() instanceof Answer.Granted;
  }

  private static void checkFollowed(
      KeyHistory history, List<Success> successes, Findings findings) {
    HighestTold told = new HighestTold(history.issues().inReturnOrder());
    for (Success success : successes) {
      if (told.isAbove(success.token(), success.call().calledNanos())
          && success.wasSentAfter(told.issue().returnedNanos())) {
        String end = "token " + told.issue().token() + " had been told";
        report(success, end, told.issue().told(), findings);
      }
    }
  }

  private static void checkToldEnded(
      KeyHistory history, List<Success> successes, Findings findings) {
    Map<Token, Call> ends = new HashMap<>();
    for (Call call : history.calls()) {
      if (call.result() instanceof Result.Ok ok) {
        toldEnded(call.ask(), ok.answer())
            .ifPresent(ended -> ends.merge(ended, call, EndedByCallsChecker::earlier));
      }
    }
    for (Success success : successes) {
      Call end = ends.get(success.token());
      if (end != null && success.wasSentAfter(end.returnedNanos())) {
        report(success, "its end had been told", end, findings);
      }
    }
  }

  private static void checkAdvances(List<Success> successes, Faults faults, Findings findings) {
    for (Success success : successes) {
      faults
          .advanceBefore(success.call().calledNanos())
          .filter(advance -> success.token().incarnation() < advance.incarnation())
          .filter(advance -> success.wasSentAfter(advance.nanos()))
          .ifPresent(
              advance ->
                  report(success, "the advance to " + advance.incarnation(), advance, findings));
    }
  }

  private static void report(Success success, String end, Evidence evidence, Findings findings) {
    findings.report(
        Invariant.I3,
        String.format(
            "token %s of %s was %s by a call sent after %s",
            success.token(), success.call().ask().key(), success.what(), end),
        evidence,
        success.call());
  }

  private static void checkGivenUp(KeyHistory history, Faults faults, Findings findings) {
    for (Map.Entry<Remembered.Request, Attempts> entry : history.requests().entrySet()) {
      Remembered.Request request = entry.getKey();
      if (request.verb() != Remembered.Verb.ABANDON) {
        continue;
      }
      Attempts acquires = history.requests().get(acquireOf(request));
      Optional<Call> abandon =
          entry.getValue().calls().stream()
              .filter(call -> Answers.tellsOfEffect(call) && !faults.mayHaveUndone(call))
              .min(Comparator.comparingLong(Call::returnedNanos));
      if (acquires != null && abandon.isPresent()) {
        checkGivenUp(acquires, abandon.get(), findings);
      }
    }
  }

  private static void checkGivenUp(Attempts acquires, Call abandon, Findings findings) {
    for (Call acquire : acquires.calls()) {
      if (isGranted(acquire) && abandon.returnedBefore(acquire)) {
        findings.report(
            Invariant.I3,
            String.format(
                "token %s of %s was granted to a call sent after its abandon was acknowledged",
                acquire.issued().orElseThrow(), acquire.ask().key()),
            abandon,
            acquire);
      }
    }
  }

  private static Remembered.Request acquireOf(Remembered.Request abandon) {
    return new Remembered.Request(abandon.requestId(), abandon.caller(), Remembered.Verb.ACQUIRE);
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
