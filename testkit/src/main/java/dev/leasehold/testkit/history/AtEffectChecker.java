package dev.leasehold.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** I5: a change at effect is applied only if its grant is current at the moment of commit. */
final class AtEffectChecker implements Checker {
  private record Change(TargetEvent event, long afterSequence) {}

  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    List<Change> changes = changes(history);
    if (changes.isEmpty()) {
      return;
    }
    Tenure tenure = new Tenure();
    int next = 0;
    List<LogEntry> log = history.log();
    for (Change change : changes) {
      while (next < log.size() && log.get(next).sequence() <= change.afterSequence()) {
        tenure.apply(log.get(next));
        next++;
      }
      if (!tenure.isCurrent(change.event().token())) {
        report(change, tenure, findings);
      }
    }
  }

  private static List<Change> changes(KeyHistory history) {
    List<Change> changes = new ArrayList<>();
    for (TargetEvent event : history.targetEvents()) {
      if (event.action() instanceof TargetEvent.ChangedAtEffect atEffect) {
        changes.add(new Change(event, atEffect.afterSequence()));
      }
    }
    changes.sort(Comparator.comparingLong(Change::afterSequence));
    return changes;
  }

  private static void report(Change change, Tenure tenure, Findings findings) {
    TargetEvent event = change.event();
    String sentence =
        String.format(
            "target %s of %s was changed at effect under token %s, after entry %d of the log, when"
                + " that grant was not current",
            event.target(), event.key(), event.token(), change.afterSequence());
    Evidence[] evidence =
        tenure
            .begun()
            .map(current -> new Evidence[] {current, event})
            .orElseGet(() -> new Evidence[] {event});
    findings.report(Invariant.I5, sentence, evidence);
  }
}
