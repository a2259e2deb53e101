package dev.leasehold.server.http;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.Principal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/**
 * Receives all requests: checks the host names and the caller, finds the route, and turns every
 * failure into a problem document that reveals no internals.
 */
public final class RequestDispatcher extends Handler.Abstract {
  private static final System.Logger LOG = System.getLogger(RequestDispatcher.class.getName());
  private static final String RETRY_SOON = "1";

  private final Gatekeeper gatekeeper;
  private final HostRules hosts;
  private final Ticker ticker;
  private final List<Route> routes;
  private final Reports reports;
  private final BodyMemory memory;
  private final RequestSpans spans = RequestSpans.ofProcess();

  /** Which callers and host names the server accepts, and the clock for the requests' time. */
  public record AccessRules(Gatekeeper gatekeeper, HostRules hosts, Ticker ticker) {}

  /** Receives the status of every answer, and the events of leases. */
  public record Reports(IntConsumer answered, ObserverDispatch observers) {}

  public RequestDispatcher(AccessRules access, List<Route> routes, Reports reports) {
    this(access, routes, reports, BodyMemory.ofHeap());
  }

  RequestDispatcher(AccessRules access, List<Route> routes, Reports reports, BodyMemory memory) {
    this.gatekeeper = access.gatekeeper();
    this.hosts = access.hosts();
    this.ticker = access.ticker();
    this.routes = List.copyOf(routes);
    this.reports = reports;
    this.memory = memory;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ApiResponse answer = spans.around(request, () -> answerSafely(request));
    switch (answer) {
      case ApiResponse.Whole whole -> send(whole, request, response, callback);
      case ApiResponse.Stream stream -> send(stream, response, callback);
      case ApiResponse.ClientGone gone -> callback.failed(new EofException("the caller has gone"));
    }
    return true;
  }

  private ApiResponse answerSafely(Request request) {
    try {
      return answer(request);
    } catch (ProblemException e) {
      return ApiResponse.problem(e.problem(), out -> {});
    } catch (BadJsonException | IllFormedException e) {
      return problem(Status.BAD_REQUEST, "Bad input", String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return stopping();
    } catch (EofException e) {
      return new ApiResponse.ClientGone();
    } catch (Exception | StackOverflowError e) {
      LOG.log(Level.ERROR, "a request to " + request.getHttpURI().getPath() + " failed", e);
      return problem(Status.BROKEN, "Broken", "something went wrong here; the log says what");
    }
  }

  static ApiResponse stopping() {
    return problem(Status.UNAVAILABLE, "Stopping", "this server is about to stop: ask another");
  }

  private static ApiResponse problem(int status, String title, String detail) {
    return ApiResponse.problem(new Problem(status, title, detail), out -> {});
  }

  private ApiResponse answer(Request request) throws Exception {
    HttpFields headers = request.getHeaders();
    Optional<String> objection =
        hosts.objection(
            Optional.ofNullable(headers.get(HttpHeader.HOST)),
            Optional.ofNullable(headers.get(HttpHeader.ORIGIN)));
    if (objection.isPresent()) {
      throw ProblemException.forbidden(objection.get());
    }
    List<String> path = path(request);
    String method = request.getMethod();
    boolean otherMethod = false;
    for (Route route : routes) {
      Optional<Map<String, String>> values = route.template().match(path);
      if (values.isPresent() && route.method().equals(method)) {
        spans.routed(route);
        return answer(request, route, values.get());
      }
      otherMethod |= values.isPresent();
    }
    throw otherMethod
        ? ProblemException.of(Status.WRONG_METHOD, "Wrong method", "not by " + method)
        : ProblemException.notFound("nothing is at this address");
  }

  private ApiResponse answer(Request request, Route route, Map<String, String> values)
      throws Exception {
    Call.MatchedRoute matched = new Call.MatchedRoute(route.operation(), values);
    WaitLimit waitLimit = new WaitLimit(ticker);
    Optional<String> authorization =
        Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION));
    Call.Means means =
        new Call.Means(
            waitLimit, memory, () -> gatekeeper.admit(authorization), reports.observers());
    if (route.needed().isEmpty() && authorization.isEmpty()) {
      return route.endpoint().answer(new Call(request, Principal.LOCAL, matched, means));
    }
    return switch (waitLimit.await(gatekeeper.admit(authorization))) {
      case Gatekeeper.Unauthenticated caller ->
          problem(Status.UNAUTHORIZED, "Not authenticated", caller.why());
      case Gatekeeper.KnownCaller known -> {
        Call call = new Call(request, known.principal(), matched, means);
        call.requireOneOf(route.needed());
        yield route.endpoint().answer(call);
      }
    };
  }

  /** A path segment may hold any character of a key, percent-encoded where needed. */
  private static List<String> path(Request request) {
    List<String> parts = new ArrayList<>();
    try {
      for (String part : request.getHttpURI().getPath().substring(1).split("/", -1)) {
        parts.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
      }
    } catch (IllegalArgumentException e) {
      throw ProblemException.badInput("the path of the address is not well-formed");
    }
    return parts;
  }

  private void send(
      ApiResponse.Whole answer, Request request, Response response, Callback callback) {
    reports.answered().accept(answer.status());
    response.setStatus(answer.status());
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, answer.type());
    headers.put(HttpHeader.CONTENT_LENGTH, answer.body().length);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    answer.tag().ifPresent(tag -> headers.put(HttpHeader.ETAG, tag));
    if (answer.status() == Status.UNAVAILABLE || answer.status() == Status.TOO_MANY) {
      headers.put(HttpHeader.RETRY_AFTER, RETRY_SOON);
    }
    if (answer.status() == Status.UNAUTHORIZED) {
      headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    }
    Callback told =
        new Callback.Nested(callback) {
          @Override
          public void failed(Throwable failure) {
            answer.ifUnsent().run();
            super.failed(failure);
          }
        };
    UnreadBody unreadBody = new UnreadBody(request, ticker);
    if (unreadBody.isFullyRead()) {
      Callback inTime = ReadingTime.USUAL.bounded(request, answer.body().length, told);
      response.write(true, ByteBuffer.wrap(answer.body()), inTime);
    } else {
      sendEarly(answer.body(), unreadBody, response, told);
    }
  }

  /**
   * Called before the whole request has arrived. The connection ends with this answer, and the
   * header says so; otherwise the client would send its next request on it, and lose it.
   */
  private static void sendEarly(
      byte[] body, UnreadBody unreadBody, Response response, Callback told) {
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    try {
      write(response, body);
      unreadBody.discard();
      told.succeeded();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      told.succeeded();
    } catch (IOException e) {
      told.failed(e);
    }
  }

  private void send(ApiResponse.Stream answer, Response response, Callback callback) {
    reports.answered().accept(Status.OK);
    response.setStatus(Status.OK);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    try {
      answer.body().writeTo(bytes -> write(response, bytes));
      callback.succeeded();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      callback.succeeded();
    } catch (Exception e) {
      LOG.log(Level.DEBUG, "a stream has ended", e);
      callback.failed(e);
    }
  }

  private static void write(Response response, byte[] bytes) throws IOException {
    try (Blocker.Callback written = Blocker.callback()) {
      response.write(false, ByteBuffer.wrap(bytes), written);
      written.block();
    }
  }
}
