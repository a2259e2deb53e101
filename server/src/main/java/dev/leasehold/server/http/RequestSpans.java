package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.model.LeaseEvent;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A span for each request, if an OpenTelemetry SDK or its Java agent is in the process. A span
 * records the operation and its outcome, and of a lease only its kind: no name, token, holder or
 * instance.
 */
final class RequestSpans {
  static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("leasehold.outcome");
  static final AttributeKey<String> KIND = AttributeKey.stringKey("leasehold.key.kind");
  static final AttributeKey<String> CAUSE = AttributeKey.stringKey("leasehold.waiting.cause");
  static final AttributeKey<String> REASON = AttributeKey.stringKey("leasehold.lost.reason");

  /** Other methods are invented by callers, and would create an unlimited number of names. */
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE");

  private final OpenTelemetry telemetry;
  private final Tracer tracer;
  private final boolean present;

  private RequestSpans(OpenTelemetry telemetry, boolean present) {
    this.telemetry = telemetry;
    this.tracer = telemetry.getTracer("dev.leasehold.server");
    this.present = present;
  }

  /**
   * Uses the OpenTelemetry instance that exists when the server is created. {@code get()} would
   * keep an application from setting its SDK later.
   */
  static RequestSpans ofProcess() {
    return new RequestSpans(GlobalOpenTelemetry.getOrNoop(), GlobalOpenTelemetry.isSet());
  }

  ApiResponse around(Request request, Supplier<ApiResponse> answering) {
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
      ApiResponse answer = answering.get();
      if (span.isRecording()) {
        note(span, answer);
      }
      return answer;
    } finally {
      span.end();
    }
  }

  /** The span that an agent has created for the same request, else the caller's. */
  private Context parent(Request request) {
    Context current = Context.current();
    return Span.fromContext(current).getSpanContext().isValid()
        ? current
        : telemetry
            .getPropagators()
            .getTextMapPropagator()
            .extract(current, request.getHeaders(), RequestSpans::header);
  }

  private static void note(Span span, ApiResponse answer) {
    if (answer instanceof ApiResponse.Whole whole) {
      span.setAttribute(STATUS, whole.status());
      if (whole.status() >= Status.BROKEN) {
        span.setStatus(StatusCode.ERROR);
      }
    } else if (answer instanceof ApiResponse.Stream) {
      span.setAttribute(STATUS, Status.OK);
    }
  }

  /** Records the route, once it is known. */
  void routed(Route route) {
    if (present) {
      Span span = Span.current();
      span.updateName(route.method() + " " + route.template().text());
      span.setAttribute(ROUTE, route.template().text());
    }
  }

  /** The kind of the lease that the request concerns; of several, the last. */
  static void about(LeaseKey key) {
    Span span = Span.current();
    if (span.isRecording()) {
      span.setAttribute(KIND, key.kind());
    }
  }

  /** What came of a command: its outcome's word, noted where the outcome is known. */
  static void outcome(String word) {
    Span span = Span.current();
    if (span.isRecording()) {
      span.setAttribute(OUTCOME, word);
    }
  }

  /** The observers, with the span of the present request in place if there is one. */
  static ObserverDispatch observing(ObserverDispatch observers) {
    Span span = Span.current();
    return span.isRecording() ? observers.with(event -> note(span, event)) : observers;
  }

  private static void note(Span span, LeaseEvent event) {
    switch (event) {
      case LeaseEvent.Waiting waiting ->
          span.addEvent("waiting", Attributes.of(CAUSE, waiting.cause().name()));
      case LeaseEvent.RenewedLate late -> span.addEvent("renewed late");
      case LeaseEvent.Lost lost ->
          span.addEvent("lost", Attributes.of(REASON, lost.reason().word()));
      case LeaseEvent.Refused refused -> span.addEvent("refused");
      case LeaseEvent.Acquired acquired -> {
        // This and the next two are the request's outcome.
      }
      case LeaseEvent.NotAcquired ended -> {}
      case LeaseEvent.Released released -> {}
      case LeaseEvent.Superseded superseded -> {
        // No request reports it.
      }
      case LeaseEvent.OfBlock ofBlock -> {}
    }
  }

  /** How a propagator reads headers. */
  private static @Nullable String header(@Nullable HttpFields headers, String name) {
    return headers == null ? null : headers.get(name);
  }
}
