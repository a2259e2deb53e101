package dev.leasehold.verification.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Answer;
import dev.leasehold.testkit.history.Ask;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.LogEntry;
import dev.leasehold.testkit.history.Result;
import dev.leasehold.testkit.history.TargetEvent;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Writes an event as one line; {@link LineReader} reads it back, field by field in this order. */
final class LineWriter {
  private final StringBuilder line = new StringBuilder(160);

  private LineWriter() {}

  static String write(Event event) {
    LineWriter writer = new LineWriter();
    switch (event) {
      case Event.Called called -> writer.called(called);
      case Event.Returned returned -> writer.returned(returned);
      case Event.ClockShown shown ->
          writer.word("clock").number(shown.nanos()).number(shown.storeMillis());
      case LogEntry entry -> writer.logged(entry);
      case TargetEvent seen -> writer.target(seen);
      case Fault fault -> writer.fault(fault);
    }
    return writer.line.append('\n').toString();
  }

  private void called(Event.Called called) {
    word("called").word(called.process()).number(called.number()).number(called.nanos());
    word(called.ask().key().text());
    switch (called.ask()) {
      case Ask.Renewal renewal ->
          word("renew").word(renewal.instanceId().text()).token(renewal.token());
      case Ask.Requested requested -> {
        word("request").request(requested.request());
        optional(requested.token());
      }
    }
  }

  private void returned(Event.Returned returned) {
    word("returned").word(returned.process()).number(returned.number()).number(returned.nanos());
    switch (returned.result()) {
      case Result.Failed failed -> word("failed").text(failed.why());
      case Result.Unknown unknown -> word("unknown").text(unknown.why());
      case Result.Ok ok -> word("ok").answer(ok.answer());
    }
  }

  private void answer(Answer answer) {
    switch (answer) {
      case Answer.Granted granted ->
          word("granted")
              .token(granted.token())
              .number(granted.grantedAtMillis())
              .number(granted.expiresAtMillis())
              .number(granted.remainingMillis());
      case Answer.Ended ended -> word("ended").token(ended.token()).text(ended.reason());
      case Answer.HandedOver handedOver -> word("handed-over").token(handedOver.token());
      case Answer.Revoked revoked -> word("revoked").token(revoked.token());
      case Answer.Renewed renewed -> word("renewed").number(renewed.remainingMillis());
      case Answer.Released released -> word("released");
      case Answer.Abandoned abandoned -> word("abandoned");
      case Answer.Reopened reopened -> word("reopened");
      case Answer.Lost lost -> word("lost").text(lost.reason());
      case Answer.Refused refused -> word("refused").text(refused.why());
    }
  }

  private void logged(LogEntry entry) {
    word("log").word(entry.key().text()).number(entry.sequence()).number(entry.storeMillis());
    switch (entry.effect()) {
      case LogEntry.Granted e ->
          word("granted").token(e.token()).request(e.by()).number(e.expiresAtMillis());
      case LogEntry.HandedOver e -> {
        word("handed-over").token(e.given()).token(e.token()).word(e.heir().text());
        request(e.by()).number(e.expiresAtMillis());
      }
      case LogEntry.Renewed e -> word("renewed").token(e.token()).number(e.expiresAtMillis());
      case LogEntry.Lapsed e -> word("lapsed").token(e.token());
      case LogEntry.Released e -> word("released").token(e.token()).request(e.by());
      case LogEntry.Abandoned e -> word("abandoned").optional(e.released()).request(e.by());
      case LogEntry.Revoked e ->
          word("revoked").token(e.voidToken()).optional(e.ended()).request(e.by());
      case LogEntry.Reopened e -> word("reopened").request(e.by());
      case LogEntry.TakenAway e -> word("taken-away").token(e.ended()).token(e.voidToken());
      case LogEntry.Purged e -> word("purged").token(e.floor());
      case LogEntry.IncarnationAdvanced e -> word("advanced").number(e.incarnation());
    }
  }

  private void target(TargetEvent event) {
    word("target").text(event.target()).word(event.key().text()).token(event.token());
    number(event.position()).number(event.nanos());
    switch (event.action()) {
      case TargetEvent.Admitted admitted -> word("admitted");
      case TargetEvent.Sealed sealed -> word("sealed");
      case TargetEvent.Changed changed -> word("changed");
      case TargetEvent.ChangedAtEffect change ->
          word("changed-at-effect").number(change.afterSequence());
      case TargetEvent.Refused refused -> word("refused");
    }
  }

  private void fault(Fault fault) {
    word("fault");
    switch (fault) {
      case Fault.StoreRestarted f -> word("restarted").number(f.nanos());
      case Fault.ClockStepped f -> word("clock").number(f.nanos()).number(f.byMillis());
      case Fault.RolledBack f ->
          word("rolled-back").number(f.backupNanos()).number(f.restoredNanos());
      case Fault.IncarnationAdvanced f ->
          word("advanced").number(f.nanos()).number(f.incarnation());
    }
  }

  private LineWriter request(Remembered.Request request) {
    word(request.requestId().text());
    switch (request.caller()) {
      case Caller.Holder holder -> word("holder").word(holder.instanceId().text());
      case Caller.ByOperator by -> word("operator").text(by.operator().name());
    }
    return word(request.verb().name().toLowerCase(Locale.ROOT));
  }

  private LineWriter token(Token token) {
    return number(token.value());
  }

  private LineWriter optional(Optional<Token> token) {
    return token.map(this::token).orElseGet(() -> word("-"));
  }

  private LineWriter number(long number) {
    separate().append(number);
    return this;
  }

  /** Visible ASCII without spaces, as it is. */
  private LineWriter word(String word) {
    separate().append(word);
    return this;
  }

  /** Any text, possibly empty. */
  private LineWriter text(String text) {
    separate().append('=').append(URLEncoder.encode(text, StandardCharsets.UTF_8));
    return this;
  }

  private StringBuilder separate() {
    return line.isEmpty() ? line : line.append(' ');
  }
}
