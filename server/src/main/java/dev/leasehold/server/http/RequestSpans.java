package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Json;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A span for each request, where an OpenTelemetry SDK or its Java agent is in the process; else
 * nothing at all. A span has what was asked and what came of it, and of a lease only its kind: no
 * name, no token, no holder, and never an instance.
 */
final class RequestSpans {
  /**
   * No others are noted: an object of a user's may have a member of that name, with anything in it.
   */
  private static final Set<String> OUTCOMES =
      Set.of(
          "granted",
          "held",
          "closed",
          "changed",
          "ended",
          "abandoned",
          "renewed",
          "released",
          "handedOver",
          "revoked",
          "free",
          "reopened",
          "notClosed",
          "lost",
          "rejected",
          "failed",
          "admitted",
          "stale",
          "unissued",
          "advanced",
          "created",
          "replaced",
          "deleted",
          "absent",
          "conflict",
          "refused",
          "bound");

  static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("leasehold.outcome");
  static final AttributeKey<String> KIND = AttributeKey.stringKey("leasehold.key.kind");

  /** Others are the caller's invention, and would be names without end. */
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE");

  /** An outcome is one of the first members; nobody reads a page of leases to find it. */
  private static final int LONGEST_READ = 4 * 1_024;

  private final OpenTelemetry telemetry;
  private final Tracer tracer;
  private final boolean present;

  private RequestSpans(OpenTelemetry telemetry, boolean present) {
    this.telemetry = telemetry;
    this.tracer = telemetry.getTracer("dev.leasehold.server");
    this.present = present;
  }

  /**
   * Of what is there when the server is made. Asking by {@code get()} would keep an application
   * from setting its SDK afterwards.
   */
  static RequestSpans ofProcess() {
    return new RequestSpans(GlobalOpenTelemetry.getOrNoop(), GlobalOpenTelemetry.isSet());
  }

  Answer around(Request request, Supplier<Answer> answering) {
    if (!present) {
      return answering.get();
    }
    String method = METHODS.contains(request.getMethod()) ? request.getMethod() : "_OTHER";
    Span span =
        tracer
            .spanBuilder(method)
            .setSpanKind(SpanKind.SERVER)
            .setParent(parent(request))
            .setAttribute(METHOD, method)
            .startSpan();
    try (Scope scope = span.makeCurrent()) {
      assert scope != null;
      Answer answer = answering.get();
      if (span.isRecording()) {
        note(span, answer);
      }
      return answer;
    } finally {
      span.end();
    }
  }

  /** The span that an agent has made for the same request, else what the caller says. */
  private Context parent(Request request) {
    Context current = Context.current();
    return Span.fromContext(current).getSpanContext().isValid()
        ? current
        : telemetry
            .getPropagators()
            .getTextMapPropagator()
            .extract(current, request.getHeaders(), RequestSpans::header);
  }

  private static void note(Span span, Answer answer) {
    if (answer instanceof Answer.Whole whole) {
      span.setAttribute(STATUS, whole.status());
      outcome(whole).ifPresent(outcome -> span.setAttribute(OUTCOME, outcome));
      if (whole.status() >= Status.BROKEN) {
        span.setStatus(StatusCode.ERROR);
      }
    } else if (answer instanceof Answer.Stream) {
      span.setAttribute(STATUS, Status.OK);
    }
  }

  private static Optional<String> outcome(Answer.Whole answer) {
    boolean readable = answer.type().endsWith("json") && answer.body().length <= LONGEST_READ;
    try {
      return readable
          ? Json.read(answer.body()).textIfAny("outcome").filter(OUTCOMES::contains)
          : Optional.empty();
    } catch (BadJsonException e) {
      // An object of a user's, which need not be an object to JSON.
      return Optional.empty();
    }
  }

  /** Which route it took, once that is known. */
  void routed(Route route) {
    if (present) {
      Span span = Span.current();
      span.updateName(route.method() + " " + route.template().text());
      span.setAttribute(ROUTE, route.template().text());
    }
  }

  /** What kind of lease it is about; of several, the last. */
  static void about(LeaseKey key) {
    Span span = Span.current();
    if (span.isRecording()) {
      span.setAttribute(KIND, key.kind());
    }
  }

  /** How a propagator reads headers. */
  private static @Nullable String header(@Nullable HttpFields headers, String name) {
    return headers == null ? null : headers.get(name);
  }
}
