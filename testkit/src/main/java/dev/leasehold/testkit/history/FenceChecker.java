package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I4: once a target has admitted or been sealed with a token, no lower one takes effect there, in
 * the target's own order of commits. Also, that it admitted nothing that was not granted, or not
 * yet; a void token may seal, but nothing changes under it. Whether a change at effect was granted
 * is for {@link AtEffectChecker} to say.
 */
final class FenceChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    if (history.targetEvents().isEmpty()) {
      return;
    }
    checkMarks(history, findings);
    checkGranted(history, findings);
  }

  private static void checkMarks(KeyHistory history, Findings findings) {
    List<TargetEvent> events = new ArrayList<>(history.targetEvents());
    events.sort(Comparator.comparing(TargetEvent::target).thenComparingLong(TargetEvent::position));
    @Nullable TargetEvent mark = null;
    for (TargetEvent event : events) {
      if (event.action() instanceof TargetEvent.Refused) {
        continue;
      }
      if (mark == null || !mark.target().equals(event.target())) {
        mark = event;
      } else if (!event.token().isBelow(mark.token())) {
        mark = event;
      } else if (!(event.action() instanceof TargetEvent.Sealed)) {
        findings.report(
            Invariant.I4,
            String.format(
                "target %s let token %s of %s in after it had seen token %s",
                event.target(), event.token(), event.key(), mark.token()),
            mark,
            event);
      }
    }
  }

  private static void checkGranted(KeyHistory history, Findings findings) {
    Map<Token, Attempts> granted = new HashMap<>();
    Set<Token> voided = new HashSet<>();
    for (LogEntry entry : history.log()) {
      if (entry.effect() instanceof LogEntry.Issuing issuing
          && !(entry.effect() instanceof LogEntry.Beginning)) {
        voided.add(issuing.issued());
      }
    }
    history.requests().values().forEach(attempts -> collect(attempts, granted, voided));
    for (TargetEvent event : history.targetEvents()) {
      Attempts attempts = granted.get(event.token());
      if (attempts != null) {
        checkNotEarly(event, attempts, findings);
      } else if (isUnfounded(event, voided)) {
        findings.report(
            Invariant.I4,
            String.format(
                "target %s let token %s of %s in, which was never granted",
                event.target(), event.token(), event.key()),
            event);
      }
    }
  }

  /**
   * Both what the log shows and what clients were told counts as granted: after a rollback the log
   * has lost its end, and where it has lost an acknowledged grant otherwise, that is for the
   * checker of survival to report.
   */
  private static void collect(Attempts attempts, Map<Token, Attempts> granted, Set<Token> voided) {
    for (LogEntry entry : attempts.effects()) {
      if (entry.effect() instanceof LogEntry.Beginning beginning) {
        granted.put(beginning.token(), attempts);
      }
    }
    for (Call call : attempts.calls()) {
      if (call.result() instanceof Result.Ok ok) {
        switch (ok.answer()) {
          case Answer.Revoked revoked -> voided.add(revoked.token());
          case Answer.Issued issued -> granted.putIfAbsent(issued.token(), attempts);
          default -> {}
        }
      }
    }
  }

  private static boolean isUnfounded(TargetEvent event, Set<Token> voided) {
    return switch (event.action()) {
      case TargetEvent.Admitted admitted -> true;
      case TargetEvent.Changed changed -> true;
      case TargetEvent.Sealed sealed -> !voided.contains(event.token());
      case TargetEvent.ChangedAtEffect atEffect -> false;
      case TargetEvent.Refused refused -> false;
    };
  }

  private static void checkNotEarly(TargetEvent event, Attempts attempts, Findings findings) {
    boolean lets =
        event.action() instanceof TargetEvent.Admitted
            || event.action() instanceof TargetEvent.Changed
            || event.action() instanceof TargetEvent.Sealed;
    if (lets && !attempts.calls().isEmpty() && event.nanos() < attempts.firstCalledNanos()) {
      findings.report(
          Invariant.I4,
          String.format(
              "target %s let token %s of %s in before its request was even sent",
              event.target(), event.token(), event.key()),
          event,
          attempts.calls().getFirst());
    }
  }
}
