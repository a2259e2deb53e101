package dev.leasehold.verification.simulation;

import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.TargetEvent;
import dev.leasehold.testkit.history.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a store has told and then lost without anybody's notice. Until its incarnation is advanced
 * it contradicts that: it issues numbers again (I2) and knows grants again that had ended (I3). The
 * protocol promises neither. So the history is judged as the store itself now has it: what was
 * answered in a lost time counts as never answered. All that is left must hold as ever.
 */
final class LostLines {
  private final List<Line> lines = new ArrayList<>();

  /** From what was no longer in the backup to its restoration. */
  private record Line(long backupNanos, long restoredNanos) {
    boolean touches(long fromNanos, long toNanos) {
      return toNanos >= backupNanos && fromNanos <= restoredNanos;
    }
  }

  private record CallId(String process, long number) {}

  void add(long backupNanos, long restoredNanos) {
    lines.add(new Line(backupNanos, restoredNanos));
  }

  Verdict judge(List<Event> events) {
    return HistoryChecks.check(History.of(lines.isEmpty() ? events : surviving(events)));
  }

  private List<Event> surviving(List<Event> events) {
    Map<CallId, Long> called = new HashMap<>();
    List<Event> surviving = new ArrayList<>();
    for (Event event : events) {
      boolean kept =
          switch (event) {
            case Event.Called call -> {
              called.put(new CallId(call.process(), call.number()), call.nanos());
              yield true;
            }
            case Event.Returned answer -> {
              Long from = called.get(new CallId(answer.process(), answer.number()));
              yield from == null || !isLost(from, answer.nanos());
            }
            case Fault.IncarnationAdvanced advance -> !isLost(advance.nanos(), advance.nanos());
            // A fence has seen what the store has lost: it is judged where it stands.
            case TargetEvent target -> target.deed() instanceof TargetEvent.ChangedAtEffect;
            default -> true;
          };
      if (kept) {
        surviving.add(event);
      }
    }
    return surviving;
  }

  private boolean isLost(long fromNanos, long toNanos) {
    return lines.stream().anyMatch(line -> line.touches(fromNanos, toNanos));
  }
}
