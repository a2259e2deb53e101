package dev.leasehold.verification.simulation;

import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.TargetEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers that a store has given and then lost in an unnoticed rollback. Until its incarnation is
 * advanced it contradicts them: it issues tokens again (I2) and revives grants that had ended (I3).
 * The protocol does not exclude that. So the history is judged as the store now has it: an answer
 * from a lost time counts as never given. Everything else must hold as usual.
 */
final class LostLines {
  private final List<Line> lines = new ArrayList<>();

  /** The time between a backup and its restoration. */
  private record Line(long backupNanos, long restoredNanos) {
    boolean touches(long fromNanos, long toNanos) {
      return toNanos >= backupNanos && fromNanos <= restoredNanos;
    }
  }

  private record CallId(String process, long number) {}

  void add(long backupNanos, long restoredNanos) {
    lines.add(new Line(backupNanos, restoredNanos));
  }

  CheckResult judge(List<Event> events) {
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
            // A fence has seen the lost tokens, so its events are judged as they are.
            case TargetEvent target -> target.action() instanceof TargetEvent.ChangedAtEffect;
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
