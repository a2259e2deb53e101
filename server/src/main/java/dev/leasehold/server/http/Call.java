package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.Permission;
import dev.leasehold.server.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** One request, as endpoints see it. */
public final class Call {
  private final Request request;
  private final Principal principal;
  private final Operation operation;
  private final Map<String, String> values;
  private final Patience patience;
  private final BodyRoom room;
  private final Supplier<CompletionStage<Gatekeeper.Admittance>> again;
  private final Fields query;

  /**
   * What a request may use up: time, some of which may have gone to find out who calls, and memory.
   *
   * @param again asks the gatekeeper once more, for what takes long
   */
  record Means(
      Patience patience, BodyRoom room, Supplier<CompletionStage<Gatekeeper.Admittance>> again) {}

  /** What was asked for, and what the names in its path stand for. */
  record Asked(Operation operation, Map<String, String> values) {}

  Call(Request request, Principal principal, Asked asked, Means means) {
    this.request = request;
    this.principal = principal;
    this.operation = asked.operation();
    this.values = Map.copyOf(asked.values());
    this.patience = means.patience();
    this.room = means.room();
    this.again = means.again();
    this.query = query(request);
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

  /** What a store says, for as long as this call may wait for it. */
  public <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return patience.await(stage);
    } catch (ProblemException e) {
      boolean silent = e.problem().equals(ProblemException.storeAway().problem());
      throw silent && !request.getMethod().equals("GET") ? ProblemException.unanswered() : e;
    }
  }

  /** The same; when it is given up, and has not been sent to the store yet, it never will be. */
  <T> T awaitOrWithdraw(CompletionStage<T> asked) throws InterruptedException {
    try {
      return await(asked);
    } finally {
      asked.toCompletableFuture().cancel(false);
    }
  }

  Patience patience() {
    return patience;
  }

  public Principal principal() {
    return principal;
  }

  /** Whether its caller would not be let in again. A store that is away revokes nothing. */
  boolean isRevoked() throws InterruptedException {
    try {
      return !new Patience(Ticker.system())
          .await(again.get())
          .equals(new Gatekeeper.KnownCaller(principal));
    } catch (ProblemException e) {
      return false;
    }
  }

  /** What a name in the route's template stands for. */
  public String value(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  /** Refuses parameters that its operation has not: a misspelt filter would filter nothing. */
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

  /** How many items a page is to have. */
  int limit(int usual, int most) {
    String text = parameter("limit").orElse(Integer.toString(usual));
    if (!text.matches("[0-9]{1,4}")) {
      throw ProblemException.badInput("limit: must be from 1 to " + most);
    }
    return Integer.parseInt(text);
  }

  /** The body as JSON, of as many bytes as the operation takes. */
  Members json() {
    return json(maxBody());
  }

  int maxBody() {
    return operation.body().orElseThrow().maxBytes();
  }

  /** The body as JSON, of so many bytes at the most. */
  public Members json(int max) {
    return Json.read(jsonBytes(max));
  }

  /** A body that is said to be JSON. */
  byte[] jsonBytes(int max) {
    String type = Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE)).orElse("");
    String bare = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!bare.equals(Answer.JSON)) {
      throw ProblemException.of(
          Status.WRONG_TYPE, "Wrong type", "a body is sent as Content-Type: application/json");
    }
    return room.read(request, max);
  }

  /** Refuses what is not the caller's business. */
  public void require(Permission permission, LeaseKey key) {
    RequestSpans.about(key);
    require(permission);
    requireCovered(key.text());
  }

  private void require(Permission permission) {
    requireOneOf(Set.of(permission));
  }

  /** Where there are none, nothing is required. */
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

  /** Who an act of an operator is recorded as: the name it gives, and the key that it came by. */
  Operator operator(Optional<String> name) {
    boolean local = principal.equals(Principal.LOCAL);
    return new Operator(
        name.map(given -> local ? given : given + " (API key " + principal.name() + ")")
            .orElse(principal.name()));
  }
}
