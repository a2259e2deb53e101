package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.Remembered.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A small history of one key, told by hand. Log entries are numbered as they are told. */
final class HistoryScript {
  static final LeaseKey KEY = new LeaseKey("lock/planted");
  static final InstanceId ALICE = Instance.of("a".repeat(32)).id();
  static final InstanceId BOB = Instance.of("b".repeat(32)).id();
  private static final int INCARNATION = 7;

  private final List<Event> events = new ArrayList<>();
  private long sequence;
  private long calls;
  private long positions;

  static Token token(long counter) {
    return Token.of(INCARNATION, counter);
  }

  static Remembered.Request request(String id, InstanceId by, Verb verb) {
    return new Remembered.Request(new RequestId(id), new Caller.Holder(by), verb);
  }

  static Remembered.Request acquire(String id, InstanceId by) {
    return request(id, by, Verb.ACQUIRE);
  }

  static Remembered.Request operator(String id) {
    return new Remembered.Request(
        new RequestId(id), new Caller.ByOperator(new Operator("ops on call")), Verb.REVOKE);
  }

  HistoryScript log(long storeMillis, LogEntry.Effect effect) {
    sequence++;
    return add(new LogEntry(KEY, sequence, storeMillis, effect));
  }

  /** Granted with 30 units of time. */
  HistoryScript granted(long storeMillis, long counter, Remembered.Request by) {
    return log(storeMillis, new LogEntry.Granted(token(counter), by, storeMillis + 30));
  }

  HistoryScript renewed(long storeMillis, long counter) {
    return log(storeMillis, new LogEntry.Renewed(token(counter), storeMillis + 30));
  }

  HistoryScript released(long storeMillis, long counter, Remembered.Request by) {
    return log(storeMillis, new LogEntry.Released(token(counter), by));
  }

  /** A call of a request, from one time to another. */
  HistoryScript call(Remembered.Request request, long fromNanos, long toNanos, Result result) {
    return call(new Ask.Requested(KEY, request, Optional.empty()), fromNanos, toNanos, result);
  }

  HistoryScript call(Ask ask, long fromNanos, long toNanos, Result result) {
    calls++;
    add(new Event.Called("p", calls, ask, fromNanos));
    return add(new Event.Returned("p", calls, result, toNanos));
  }

  HistoryScript target(long counter, TargetEvent.Action action) {
    return target(counter, 1_000, action);
  }

  HistoryScript target(long counter, long nanos, TargetEvent.Action action) {
    positions++;
    return add(new TargetEvent("table", KEY, token(counter), positions, nanos, action));
  }

  HistoryScript add(Event event) {
    events.add(event);
    return this;
  }

  static Result ok(Answer answer) {
    return new Result.Ok(answer);
  }

  static Result okGranted(long counter) {
    return ok(new Answer.Granted(token(counter), 0, 30, 30));
  }

  static Ask renewal(long counter, InstanceId by) {
    return new Ask.Renewal(KEY, by, token(counter));
  }

  static Ask release(String id, long counter, InstanceId by) {
    return new Ask.Requested(KEY, request(id, by, Verb.RELEASE), Optional.of(token(counter)));
  }

  History history() {
    return History.of(events);
  }

  List<Event> events() {
    return events;
  }

  CheckResult verdict() {
    return HistoryChecks.check(history());
  }
}
