package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectOutcomes;
import dev.leasehold.remote.wire.ObjectReadings;
import dev.leasehold.remote.wire.StoreFacts;
import dev.leasehold.server.security.Permission;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Objects for programs: many at once, with binary payloads and all metadata. Names stand in bodies
 * and queries, because they can contain characters that a path cannot.
 */
final class ObjectBatches {
  private static final System.Logger LOG = System.getLogger(ObjectBatches.class.getName());

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
        Route.of(ObjectApi.PURGE_DELETED, this::purge));
  }

  private Answer batch(Call call) throws InterruptedException {
    List<ObjectCommand> commands =
        call.read(
            in ->
                ObjectCommands.readBatch(
                    in, call.principal().name(), command -> requireAllowed(call, command)));
    List<ObjectOutcome> outcomes = new ArrayList<>();
    for (ObjectOutcome outcome : outcomes(call, commands)) {
      outcomes.add(told(call, commands.get(outcomes.size()), outcome));
    }
    List<Certainty> failed =
        outcomes.stream()
            .filter(ObjectOutcome.Failed.class::isInstance)
            .map(outcome -> ((ObjectOutcome.Failed) outcome).certainty())
            .toList();
    boolean away = !outcomes.isEmpty() && failed.size() == outcomes.size();
    return away
        ? Answer.problem(
            ProblemException.failed(failed.stream()).problem(),
            out -> ObjectOutcomes.writeResults(out, commands, outcomes))
        : Answer.json(out -> ObjectOutcomes.writeResults(out, commands, outcomes));
  }

  private static void requireAllowed(Call call, ObjectCommand command) {
    call.requireCovered(ObjectEndpoints.scope(command.name()));
    command.claim().ifPresent(claim -> call.require(Permission.HOLD, claim.key()));
  }

  /** If the store does not answer in time, commands that have not been sent yet are withdrawn. */
  private List<ObjectOutcome> outcomes(Call call, List<ObjectCommand> commands)
      throws InterruptedException {
    List<CompletableFuture<ObjectOutcome>> asked =
        commands.stream().map(objects::apply).map(CompletionStage::toCompletableFuture).toList();
    List<CompletableFuture<ObjectOutcome>> told =
        asked.stream().map(one -> one.exceptionally(ObjectBatches::unknown)).toList();
    try {
      call.await(
          CompletableFuture.allOf(told.toArray(CompletableFuture[]::new)).thenApply(done -> true));
      return told.stream().map(CompletableFuture::join).toList();
    } finally {
      asked.forEach(one -> one.cancel(false));
    }
  }

  private static ObjectOutcome unknown(Throwable failure) {
    return new ObjectOutcome.Failed(Certainty.UNKNOWN, String.valueOf(failure.getMessage()));
  }

  /** Removes the reason why a store failed: it may name machines, and stands in the log. */
  private static ObjectOutcome told(Call call, ObjectCommand command, ObjectOutcome outcome) {
    command.refusal(outcome).ifPresent(call.observer()::observed);
    if (outcome instanceof ObjectOutcome.Failed failed) {
      LOG.log(Level.WARNING, "the store has failed a write: {0}", failed.detail());
      return new ObjectOutcome.Failed(failed.certainty(), "the store could not execute it");
    }
    return outcome;
  }

  /** Answers with the first objects that fit into an answer, at least one. */
  private Answer read(Call call) throws InterruptedException {
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
    return Answer.json(out -> ObjectReadings.writeResults(out, names, found));
  }

  /** Lists the objects of a type, in full. */
  Answer list(Call call) throws InterruptedException {
    ObjectPage page = call.await(store.list(query(call)));
    return Answer.json(out -> ObjectReadings.writePage(out, page));
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

  private Answer purge(Call call) throws InterruptedException {
    call.requireCovered("");
    PurgeReport report = call.await(store.purge(StoreFacts.readPurge(call.json())));
    return Answer.json(out -> StoreFacts.write(out, report));
  }
}
