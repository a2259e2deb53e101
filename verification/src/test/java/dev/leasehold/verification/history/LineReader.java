package dev.leasehold.verification.history;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Answer;
import dev.leasehold.testkit.history.Ask;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.LogEntry;
import dev.leasehold.testkit.history.Result;
import dev.leasehold.testkit.history.TargetEvent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the lines of one file, as {@link LineWriter} wrote them. Keys and instances recur, so each
 * is kept once.
 */
final class LineReader {
  private final Map<String, LeaseKey> keys = new HashMap<>();
  private final Map<String, InstanceId> instances = new HashMap<>();
  private String line = "";
  private int at;

  Event read(String newLine) {
    line = newLine;
    at = 0;
    Event event =
        switch (word()) {
          case "called" -> called();
          case "returned" -> returned();
          case "clock" -> new Event.ClockShown(number(), number());
          case "log" -> new LogEntry(key(), number(), number(), effect());
          case "target" -> new TargetEvent(text(), key(), token(), number(), number(), action());
          case "fault" -> fault();
          default -> throw unreadable("kind of event");
        };
    if (at <= line.length()) {
      throw unreadable("end");
    }
    return event;
  }

  private Event called() {
    String process = word();
    long number = number();
    long nanos = number();
    LeaseKey key = key();
    Ask ask =
        switch (word()) {
          case "renew" -> new Ask.Renewal(key, instanceId(), token());
          case "request" -> new Ask.Requested(key, request(), optional());
          default -> throw unreadable("question");
        };
    return new Event.Called(process, number, ask, nanos);
  }

  private Event returned() {
    String process = word();
    long number = number();
    long nanos = number();
    Result result =
        switch (word()) {
          case "ok" -> new Result.Ok(answer());
          case "failed" -> new Result.Failed(text());
          case "unknown" -> new Result.Unknown(text());
          default -> throw unreadable("result");
        };
    return new Event.Returned(process, number, result, nanos);
  }

  private Answer answer() {
    return switch (word()) {
      case "granted" -> new Answer.Granted(token(), number(), number(), number());
      case "ended" -> new Answer.Ended(token(), text());
      case "handed-over" -> new Answer.HandedOver(token());
      case "revoked" -> new Answer.Revoked(token());
      case "renewed" -> new Answer.Renewed(number());
      case "released" -> new Answer.Released();
      case "abandoned" -> new Answer.Abandoned();
      case "reopened" -> new Answer.Reopened();
      case "lost" -> new Answer.Lost(text());
      case "refused" -> new Answer.Refused(text());
      default -> throw unreadable("answer");
    };
  }

  private LogEntry.Effect effect() {
    return switch (word()) {
      case "granted" -> new LogEntry.Granted(token(), request(), number());
      case "handed-over" ->
          new LogEntry.HandedOver(token(), token(), instanceId(), request(), number());
      case "renewed" -> new LogEntry.Renewed(token(), number());
      case "lapsed" -> new LogEntry.Lapsed(token());
      case "released" -> new LogEntry.Released(token(), request());
      case "abandoned" -> new LogEntry.Abandoned(optional(), request());
      case "revoked" -> new LogEntry.Revoked(token(), optional(), request());
      case "reopened" -> new LogEntry.Reopened(request());
      case "taken-away" -> new LogEntry.TakenAway(token(), token());
      case "purged" -> new LogEntry.Purged(token());
      case "advanced" -> new LogEntry.IncarnationAdvanced(Math.toIntExact(number()));
      default -> throw unreadable("effect");
    };
  }

  private TargetEvent.Action action() {
    return switch (word()) {
      case "admitted" -> new TargetEvent.Admitted();
      case "sealed" -> new TargetEvent.Sealed();
      case "changed" -> new TargetEvent.Changed();
      case "changed-at-effect" -> new TargetEvent.ChangedAtEffect(number());
      case "refused" -> new TargetEvent.Refused();
      default -> throw unreadable("action");
    };
  }

  private Fault fault() {
    return switch (word()) {
      case "restarted" -> new Fault.StoreRestarted(number());
      case "clock" -> new Fault.ClockStepped(number(), number());
      case "rolled-back" -> new Fault.RolledBack(number(), number());
      case "advanced" -> new Fault.IncarnationAdvanced(number(), Math.toIntExact(number()));
      default -> throw unreadable("fault");
    };
  }

  private Remembered.Request request() {
    RequestId id = new RequestId(word());
    Caller caller =
        switch (word()) {
          case "holder" -> new Caller.Holder(instanceId());
          case "operator" -> new Caller.ByOperator(new Operator(text()));
          default -> throw unreadable("caller");
        };
    return new Remembered.Request(
        id, caller, Remembered.Verb.valueOf(word().toUpperCase(Locale.ROOT)));
  }

  private LeaseKey key() {
    return keys.computeIfAbsent(word(), LeaseKey::new);
  }

  private InstanceId instanceId() {
    return instances.computeIfAbsent(word(), InstanceId::new);
  }

  private Token token() {
    return new Token(number());
  }

  private Optional<Token> optional() {
    String word = word();
    return word.equals("-") ? Optional.empty() : Optional.of(Token.parse(word));
  }

  private long number() {
    try {
      return Long.parseLong(word());
    } catch (NumberFormatException e) {
      throw unreadable("number");
    }
  }

  private String text() {
    String word = word();
    if (!word.startsWith("=")) {
      throw unreadable("text");
    }
    return URLDecoder.decode(word.substring(1), StandardCharsets.UTF_8);
  }

  private String word() {
    if (at > line.length()) {
      throw unreadable("next field");
    }
    int space = line.indexOf(' ', at);
    int end = space < 0 ? line.length() : space;
    String word = line.substring(at, end);
    at = end + 1;
    return word;
  }

  private IllFormedException unreadable(String what) {
    return new IllFormedException("no " + what + " that is known in the line: " + line);
  }
}
