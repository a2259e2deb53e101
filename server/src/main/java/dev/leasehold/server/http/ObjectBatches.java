package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectOutcomes;
import dev.leasehold.remote.wire.ObjectReadings;
import dev.leasehold.server.security.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Objects for programs: many at once, with binary payloads and all metadata. Names stand in bodies
 * and queries, because they can contain characters that a path cannot.
 */
final class ObjectBatches {
  /** Maximum number of the requested objects that are read at once. */
  private static final int READ_AT_ONCE = 8;

  private static final int USUAL_PAGE = 100;

  private final ObjectStore store;
  private final VersionedObjects objects;

  ObjectBatches(ObjectStore store, VersionedObjects objects) {
    this.store = store;
    this.objects = objects;
  }

  List<Route> routes() {
    return List.of(
        Route.of(ObjectApi.BATCH, this::batch),
        Route.of(ObjectApi.READ, this::read),
        Route.purge(ObjectApi.PURGE_DELETED, store::purge));
  }

  private ApiResponse batch(Call call) throws InterruptedException {
    List<ObjectCommand> commands =
        call.read(
            in ->
                ObjectCommands.readBatch(
                    in, call.principal().name(), command -> requireAllowed(call, command)));
    List<ObjectOutcome> outcomes =
        BlockAnswers.outcomes(
            call, ObjectCommand.KIND, commands.stream().map(objects::apply).toList());
    for (int i = 0; i < outcomes.size(); i++) {
      commands.get(i).refusal(outcomes.get(i)).ifPresent(call.observer()::observed);
    }
    return BlockAnswers.ofBatch(
        outcomes, out -> ObjectOutcomes.writeResults(out, commands, outcomes));
  }

  private static void requireAllowed(Call call, ObjectCommand command) {
    call.requireCovered(ObjectEndpoints.scope(command.name()));
    command.claim().ifPresent(claim -> call.require(Permission.HOLD, claim.key()));
  }

  /** Answers with the first objects that fit into an answer, at least one. */
  private ApiResponse read(Call call) throws InterruptedException {
    List<ObjectName> names =
        call.read(
            in ->
                ObjectReadings.readNames(
                    in, name -> call.requireCovered(ObjectEndpoints.scope(name))));
    List<Optional<VersionedObject>> found = new ArrayList<>();
    long bytes = 0;
    while (found.size() < names.size() && bytes < ObjectQuery.MAX_PAGE_BYTES) {
      int end = Math.min(names.size(), found.size() + READ_AT_ONCE);
      List<Optional<VersionedObject>> more =
          call.await(store.read(names.subList(found.size(), end)));
      for (Optional<VersionedObject> one : more) {
        bytes += one.map(object -> object.payload().size()).orElse(0);
      }
      found.addAll(more);
    }
    return ApiResponse.json(out -> ObjectReadings.writeResults(out, names, found));
  }

  /** Lists the objects of a type, in full. */
  ApiResponse list(Call call) throws InterruptedException {
    ObjectPage page = call.await(store.list(query(call)));
    return ApiResponse.json(out -> ObjectReadings.writePage(out, page));
  }

  /** The objects that a caller asks for, after a check that its API key covers their whole type. */
  static ObjectQuery query(Call call) {
    call.requireKnownQuery();
    String type =
        call.parameter("type").orElseThrow(() -> ProblemException.badInput("type: is missing"));
    ObjectQuery query =
        new ObjectQuery(
            type,
            call.parameter("after").orElse(""),
            call.limit(USUAL_PAGE, ObjectQuery.MAX_LIMIT));
    call.requireCovered(ObjectEndpoints.scope(type, ""));
    return query;
  }
}
