package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.JsonIn;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.Permission;
import dev.leasehold.server.security.Principal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** One request, as an endpoint sees it. */
public final class Call {
  private final Request request;
  private final Principal principal;
  private final Operation operation;
  private final Map<String, String> values;
  private final WaitLimit waitLimit;
  private final BodyMemory memory;
  private final Supplier<CompletionStage<Gatekeeper.Admittance>> again;
  private final Fields query;
  private final ObserverDispatch observer;

  /**
   * The resources that a request may use: time, of which authentication may have taken some, and
   * memory.
   *
   * @param again asks the gatekeeper once more, for long requests
   * @param observers the server's
   */
  record Means(
      WaitLimit waitLimit,
      BodyMemory memory,
      Supplier<CompletionStage<Gatekeeper.Admittance>> again,
      ObserverDispatch observers) {}

  /** The operation that was requested, and the values of the names in its path. */
  record MatchedRoute(Operation operation, Map<String, String> values) {}

  Call(Request request, Principal principal, MatchedRoute matched, Means means) {
    this.request = request;
    this.principal = principal;
    this.operation = matched.operation();
    this.values = Map.copyOf(matched.values());
    this.waitLimit = means.waitLimit();
    this.memory = means.memory();
    this.again = means.again();
    this.query = query(request);
    this.observer = RequestSpans.observing(means.observers());
  }

  private static Fields query(Request request) {
    try {
      return Request.extractQueryParameters(request);
    } catch (RuntimeException e) {
      throw ProblemException.badInput("the query of the address is not well-formed");
    }
  }

  Request request() {
    return request;
  }

  /** Waits for the store's answer, within the time of this call. */
  public <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return waitLimit.await(stage);
    } catch (ProblemException e) {
      boolean silent = e.problem().equals(ProblemException.storeAway().problem());
      throw silent && !request.getMethod().equals("GET") ? ProblemException.unanswered() : e;
    }
  }

  /**
   * The same; if the call gives up before the command was sent to the store, the command is never
   * sent.
   */
  <T> T awaitOrWithdraw(CompletionStage<T> matched) throws InterruptedException {
    try {
      return await(matched);
    } finally {
      matched.toCompletableFuture().cancel(false);
    }
  }

  /** What this request reports its events to: the server's observers, and its own span. */
  ObserverDispatch observer() {
    return observer;
  }

  WaitLimit waitLimit() {
    return waitLimit;
  }

  public Principal principal() {
    return principal;
  }

  /**
   * Whether the caller's key has been revoked since the request came. An unreachable store revokes
   * no key.
   */
  boolean isRevoked() throws InterruptedException {
    try {
      return !new WaitLimit(Ticker.system())
          .await(again.get())
          .equals(new Gatekeeper.KnownCaller(principal));
    } catch (ProblemException e) {
      return false;
    }
  }

  /** The value of a name in the route's template. */
  public String value(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  /**
   * Refuses parameters that the operation does not have: a misspelt filter would filter nothing.
   */
  void requireKnownQuery() {
    List<String> known = operation.query();
    for (String given : query.getNames()) {
      if (!known.contains(given)) {
        String those = known.isEmpty() ? "none" : String.join(", ", known);
        throw ProblemException.badInput(
            "the address has a parameter that is not known here; known: " + those);
      }
    }
  }

  public Optional<String> parameter(String name) {
    return Optional.ofNullable(query.getValue(name)).filter(value -> !value.isEmpty());
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  Detail detail() {
    return parameter(Detail.PARAMETER)
        .map(
            word -> {
              if (!word.equals("record")) {
                throw ProblemException.badInput("detail: must be record, or left out");
              }
              return Detail.RECORD;
            })
        .orElse(Detail.BRIEF);
  }

  /** The maximum number of items on a page. */
  int limit(int usual, int most) {
    String text = parameter("limit").orElse(Integer.toString(usual));
    if (!text.matches("[0-9]{1,4}")) {
      throw ProblemException.badInput("limit: must be from 1 to " + most);
    }
    return Integer.parseInt(text);
  }

  /** The body as one JSON object, with at most as many bytes as the operation allows. */
  Members json() {
    return read(JsonIn::object);
  }

  /** The same, with at most {@code max} bytes. */
  public Members json(int max) {
    return read(max, JsonIn::object);
  }

  /**
   * The body as JSON that is parsed while it arrives, with at most as many bytes as the operation
   * allows.
   */
  <T> T read(Function<JsonIn, T> reader) {
    return read(maxBody(), reader);
  }

  /**
   * What is small is parsed when it has arrived: it reserves no memory, and many small bodies that
   * arrive slowly would fill the heap with their items.
   */
  <T> T read(int max, Function<JsonIn, T> reader) {
    try (Body body = body(max)) {
      InputStream small = new ByteArrayInputStream(body.readNBytes(Operation.SMALL_BODY));
      return reader.apply(new JsonIn(new SequenceInputStream(small, body), body::digested));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All bytes of a body that is declared to be JSON, at most {@code max}. */
  byte[] jsonBytes(int max) {
    try (Body body = body(max)) {
      return body.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int maxBody() {
    return operation.body().orElseThrow().maxBytes();
  }

  private Body body(int max) {
    String type = Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE)).orElse("");
    String bare = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!bare.equals(ApiResponse.JSON)) {
      throw ProblemException.of(
          Status.WRONG_TYPE, "Wrong type", "a body is sent as Content-Type: application/json");
    }
    return memory.open(request, max);
  }

  /** Refuses a key or an action that the caller's API key does not cover. */
  public void require(Permission permission, LeaseKey key) {
    RequestSpans.about(key);
    require(permission);
    requireCovered(key.text());
  }

  private void require(Permission permission) {
    requireOneOf(Set.of(permission));
  }

  /** An empty set requires nothing. */
  void requireOneOf(Set<Permission> permissions) {
    if (!permissions.isEmpty() && permissions.stream().noneMatch(principal::may)) {
      String words =
          permissions.stream()
              .map(permission -> "'" + permission.name().toLowerCase(Locale.ROOT) + "'")
              .sorted()
              .collect(Collectors.joining(" or "));
      throw ProblemException.forbidden("this API key is not for " + words);
    }
  }

  void requireCovered(String keyOrPrefix) {
    if (!principal.covers(keyOrPrefix)) {
      throw ProblemException.forbidden("this API key is for other prefixes");
    }
  }

  /**
   * The operator that an act is recorded under: the name given in the request, and the API key
   * used.
   */
  Operator operator(Optional<String> name) {
    boolean local = principal.equals(Principal.LOCAL);
    return new Operator(
        name.map(given -> local ? given : given + " (API key " + principal.name() + ")")
            .orElse(principal.name()));
  }
}
