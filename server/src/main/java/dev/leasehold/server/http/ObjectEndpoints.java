package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Claim;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.ObjectReadings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code /v1/objects}: versioned objects. A read returns exactly the bytes that were put. The
 * version is the ETag, and the store checks conditions on it within the write.
 */
public final class ObjectEndpoints {
  private static final int USUAL_PAGE = 100;

  private final ObjectStore store;
  private final VersionedObjects objects;
  private final ObjectBatches batches;
  private final TopicWatch<ObjectChange> watch;

  public ObjectEndpoints(ObjectStore store, TopicWatch<ObjectChange> watch) {
    this.store = store;
    this.objects = VersionedObjects.on(store);
    this.batches = new ObjectBatches(store, objects);
    this.watch = watch;
  }

  public List<Route> routes() {
    List<Route> routes = new ArrayList<>(ofOne());
    routes.add(Route.of(ObjectApi.ALL, this::all));
    routes.addAll(batches.routes());
    routes.addAll(new ObjectBindings(store).routes());
    return routes;
  }

  private List<Route> ofOne() {
    return List.of(
        Route.of(ObjectApi.PUT, this::put),
        Route.of(ObjectApi.GET, this::get),
        Route.of(ObjectApi.DELETE, this::delete),
        Route.of(ObjectApi.LIST, this::list));
  }

  /** The lease key that represents an object where an API key's prefixes are checked. */
  static String scope(String type, String id) {
    return "object/" + type + "/" + id;
  }

  static String scope(ObjectName name) {
    return scope(name.type(), name.id());
  }

  private static ObjectName name(Call call) {
    ObjectName name = new ObjectName(call.value("type"), call.value("id"));
    call.requireCovered(scope(name));
    return name;
  }

  private ApiResponse get(Call call) throws InterruptedException {
    ObjectName name = name(call);
    VersionedObject found =
        call.awaitOrWithdraw(objects.getLater(name))
            .orElseThrow(() -> ProblemException.notFound("there is no object " + name));
    if (ObjectHeaders.knows(call, found.version())) {
      return new ApiResponse.Whole(Status.NOT_MODIFIED, ApiResponse.JSON, new byte[0])
          .with(ObjectHeaders.tag(found.version()));
    }
    byte[] bytes = found.payload().bytes();
    String type = Json.isWellFormed(bytes) ? ApiResponse.JSON : "application/octet-stream";
    return new ApiResponse.Whole(Status.OK, type, bytes).with(ObjectHeaders.tag(found.version()));
  }

  private ApiResponse list(Call call) throws InterruptedException {
    call.requireKnownQuery();
    String type = call.value("type");
    ObjectName.requireType(type);
    call.requireCovered(scope(type, ""));
    ObjectQuery query =
        new ObjectQuery(
            type,
            call.parameter("after").orElse(""),
            call.limit(USUAL_PAGE, ObjectQuery.MAX_LIMIT));
    ObjectPage page = call.await(store.list(query));
    return ApiResponse.json(out -> ObjectReadings.writeListedPage(out, page));
  }

  private ApiResponse put(Call call) throws InterruptedException {
    ObjectName name = name(call);
    Expectation expected = ObjectHeaders.expected(call);
    Optional<Claim> claim = ClaimHeaders.claim(call);
    // Reads more than an object may have, so that the answer can say how much too large it is.
    byte[] body = call.jsonBytes(call.maxBody());
    if (body.length > Payload.MAX_BYTES) {
      throw ProblemException.of(
          Status.TOO_LARGE,
          "Too large",
          "an object has at most %d bytes, and this has %d: keep it elsewhere, and its address here"
              .formatted(Payload.MAX_BYTES, body.length));
    }
    Json.requireWellFormed(body);
    return write(
        call,
        new ObjectCommand.Put(
            name, Payload.of(body), expected, claim, ClaimHeaders.requestId(call)));
  }

  private ApiResponse delete(Call call) throws InterruptedException {
    ObjectName name = name(call);
    Expectation expected = ObjectHeaders.expected(call);
    if (expected instanceof Expectation.Absence) {
      throw ProblemException.badInput("If-None-Match: what is absent cannot be deleted");
    }
    return write(
        call,
        new ObjectCommand.Delete(
            name, expected, ClaimHeaders.claim(call), ClaimHeaders.requestId(call)));
  }

  private ApiResponse write(Call call, ObjectCommand command) throws InterruptedException {
    ObjectOutcome outcome = call.awaitOrWithdraw(objects.apply(command));
    command.refusal(outcome).ifPresent(call.observer()::observed);
    return ObjectAnswers.of(command, outcome);
  }

  /** Lists a type in full, or watches it. */
  private ApiResponse all(Call call) throws InterruptedException {
    return switch (call.parameter("watch").orElse("false")) {
      case "true" -> watch.watch(call, ObjectBatches.query(call).type());
      case "false" -> batches.list(call);
      default -> throw ProblemException.badInput("watch: must be true or false");
    };
  }
}
