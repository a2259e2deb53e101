package dev.leasehold.remote;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectOutcomes;
import dev.leasehold.remote.wire.ObjectReadings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The objects of a store behind servers. They are closed together with its leases. */
final class RemoteObjectStore implements ObjectStore {
  private static final BatchCodec<ObjectName, ObjectCommand, ObjectOutcome> WRITES =
      new BatchCodec<>(
          ObjectCommand.KIND,
          ObjectApi.BATCH.path(),
          ObjectCommands::writeBatch,
          ObjectOutcomes::readResults);

  private final Calls calls;
  private final SharedStreams<ObjectChange> streams;

  RemoteObjectStore(Calls calls, SharedStreams<ObjectChange> streams) {
    this.calls = calls;
    this.streams = streams;
  }

  @Override
  public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
    return calls.apply(WRITES, batch);
  }

  /** A server answers with the first objects that fit into an answer. */
  @Override
  public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
    List<ObjectName> asked = List.copyOf(names);
    return calls.answered(
        servers -> {
          List<Optional<VersionedObject>> found = new ArrayList<>();
          while (found.size() < asked.size()) {
            int end = Math.min(asked.size(), found.size() + ObjectReadings.MAX_NAMES);
            found.addAll(first(servers, asked.subList(found.size(), end)));
          }
          return found;
        });
  }

  private static List<Optional<VersionedObject>> first(Servers servers, List<ObjectName> names)
      throws InterruptedException {
    byte[] body = Json.write(out -> ObjectReadings.writeNames(out, names));
    Request request = Request.post(ObjectApi.READ.path(), body, Repeat.HARMLESS);
    List<Optional<VersionedObject>> found =
        ObjectReadings.readResults(servers.ask(request).orThrow());
    if (found.isEmpty() || found.size() > names.size()) {
      throw RemoteStoreException.refused(
          "the server answers " + found.size() + " objects for " + names.size() + " names");
    }
    return found;
  }

  @Override
  public CompletionStage<ObjectPage> list(ObjectQuery query) {
    return calls.get(ObjectApi.ALL.path() + words(query), ObjectReadings::readPage);
  }

  private static String words(ObjectQuery query) {
    String after = query.after().isEmpty() ? "" : "&after=" + Calls.encoded(query.after());
    return "?type=" + Calls.encoded(query.type()) + "&limit=" + query.limit() + after;
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return calls.postOnce(
        ObjectApi.BIND.path(),
        out -> ObjectCommands.writeScope(out, scope).text("key", key.text()).text("by", by.name()),
        ObjectReadings::readBefore);
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
    return calls.postOnce(
        ObjectApi.UNBIND.path(),
        out -> ObjectCommands.writeScope(out, scope),
        ObjectReadings::readBefore);
  }

  @Override
  public CompletionStage<List<Binding>> bindings(ObjectQuery query) {
    return calls.get(ObjectApi.BINDINGS.path() + words(query), ObjectReadings::readBindings);
  }

  @Override
  public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
    return streams.watch(type, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return calls.purge(ObjectApi.PURGE_DELETED.path(), query);
  }
}
