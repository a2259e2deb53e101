package dev.leasehold.testkit.history;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.rules.Remembered;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that happened to one key. Keys have nothing to do with each other. */
final class KeyHistory {
  private final LeaseKey key;
  private final List<Call> calls = new ArrayList<>();
  private final List<LogEntry> log = new ArrayList<>();
  private final List<TargetEvent> targetEvents = new ArrayList<>();
  private final Map<Remembered.Request, Attempts> requests = new LinkedHashMap<>();
  private @Nullable Issues issues;

  KeyHistory(LeaseKey key) {
    this.key = key;
  }

  void add(Call call) {
    calls.add(call);
    if (call.ask() instanceof Ask.Requested asked) {
      attempts(asked.request()).add(call);
    }
  }

  void add(LogEntry entry) {
    log.add(entry);
    if (entry.effect() instanceof LogEntry.Requested requested) {
      attempts(requested.by()).add(entry);
    }
  }

  void add(TargetEvent event) {
    targetEvents.add(event);
  }

  private Attempts attempts(Remembered.Request request) {
    return requests.computeIfAbsent(request, r -> new Attempts());
  }

  /** Puts the log into the order of its commits. */
  void arrange() {
    log.sort(Comparator.comparingLong(LogEntry::sequence));
    for (int i = 1; i < log.size(); i++) {
      if (log.get(i).sequence() == log.get(i - 1).sequence()) {
        throw new IllFormedException(
            "the log of "
                + key
                + " has two entries with sequence "
                + log.get(i).sequence()
                + ": it is not in the order of commits, or was read twice");
      }
    }
  }

  LeaseKey key() {
    return key;
  }

  List<Call> calls() {
    return calls;
  }

  List<LogEntry> log() {
    return log;
  }

  List<TargetEvent> targetEvents() {
    return targetEvents;
  }

  /** Gathered once: several checkers ask for them. */
  Issues issues() {
    if (issues == null) {
      issues = Issues.of(this);
    }
    return issues;
  }

  Map<Remembered.Request, Attempts> requests() {
    return requests;
  }
}
