package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.blocks.objects.VersionedObjects;
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
import java.util.function.Consumer;

/**
 * Objects for programs: many at once, with payloads of any bytes and all that is known of them.
 * Names are in bodies and queries, since they can hold what a path cannot.
 */
final class ObjectBatches {
  private static final System.Logger LOG = System.getLogger(ObjectBatches.class.getName());

  /** So many are read at once, of those that are asked for. */
  private static final int READ_AT_ONCE = 8;

  private static final int USUAL_PAGE = 100;

  private final ObjectStore store;
  private final VersionedObjects objects;
  private final Consumer<ObjectCommand> refused;

  /** {@code refused} is told of each write that is refused for its token. */
  ObjectBatches(ObjectStore store, VersionedObjects objects, Consumer<ObjectCommand> refused) {
    this.store = store;
    this.objects = objects;
    this.refused = refused;
  }

  List<Route> routes() {
    return List.of(
        Route.of(ObjectApi.BATCH, this::batch),
        Route.of(ObjectApi.READ, this::read),
        Route.of(ObjectApi.PURGE_DELETED, this::purge));
  }

  private Answer batch(Call call) throws InterruptedException {
    List<ObjectCommand> commands = ObjectCommands.readBatch(call.json(), call.principal().name());
    for (ObjectCommand command : commands) {
      call.requireCovered(ObjectEndpoints.scope(command.name()));
      command.claim().ifPresent(claim -> call.require(Permission.HOLD, claim.key()));
    }
    List<ObjectOutcome> outcomes = new ArrayList<>();
    for (ObjectOutcome outcome : outcomes(call, commands)) {
      outcomes.add(told(commands.get(outcomes.size()), outcome));
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

  /** What has not been sent when the caller is told that the store is away never is. */
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

  /** Why a store failed is for the log: it may name machines. */
  private ObjectOutcome told(ObjectCommand command, ObjectOutcome outcome) {
    if (outcome instanceof ObjectOutcome.Refused || outcome instanceof ObjectOutcome.Bound) {
      refused.accept(command);
    }
    if (outcome instanceof ObjectOutcome.Failed failed) {
      LOG.log(Level.WARNING, "the store has failed a write: {0}", failed.detail());
      return new ObjectOutcome.Failed(failed.certainty(), "the store could not carry it out");
    }
    return outcome;
  }

  /** The first ones, as many as an answer has room for, and one at least. */
  private Answer read(Call call) throws InterruptedException {
    List<ObjectName> names = ObjectReadings.readNames(call.json());
    names.forEach(name -> call.requireCovered(ObjectEndpoints.scope(name)));
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

  /** The objects of a type, in full. */
  Answer list(Call call) throws InterruptedException {
    ObjectPage page = call.await(store.list(query(call)));
    return Answer.json(out -> ObjectReadings.writePage(out, page));
  }

  /** Which objects a caller asks for, all of whose type are its business. */
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
