package dev.leasehold.testkit.history;

import java.util.ArrayList;
import java.util.List;

/** All attempts of one request, and what the log shows to have come of it. */
final class Attempts {
  // Nearly every request has one call and one effect.
  private final List<Call> calls = new ArrayList<>(1);
  private final List<LogEntry> effects = new ArrayList<>(1);

  void add(Call call) {
    calls.add(call);
  }

  void add(LogEntry effect) {
    effects.add(effect);
  }

  List<Call> calls() {
    return calls;
  }

  List<LogEntry> effects() {
    return effects;
  }

  /** Before this time it cannot have had an effect; the greatest where no call is known. */
  long firstCalledNanos() {
    long first = Long.MAX_VALUE;
    for (Call call : calls) {
      first = Math.min(first, call.calledNanos());
    }
    return first;
  }
}
