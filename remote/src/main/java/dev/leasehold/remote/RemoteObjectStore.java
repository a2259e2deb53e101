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
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectReadings;
import dev.leasehold.remote.wire.StoreFacts;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The objects of a store behind servers. They are closed together with its leases. */
final class RemoteObjectStore implements ObjectStore {
  private final Calls calls;
  private final SharedStreams<ObjectChange> streams;

  RemoteObjectStore(Calls calls, SharedStreams<ObjectChange> streams) {
    this.calls = calls;
    this.streams = streams;
  }

  @Override
  public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
    List<ObjectCommand> commands = List.copyOf(batch);
    return calls.answered(servers -> ObjectBatchCodec.apply(servers, commands));
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
    Request request =
        post("/v1/objects/read", out -> ObjectReadings.writeNames(out, names), Repeat.HARMLESS);
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
    Request request = Request.get("/v1/objects?" + words(query));
    return calls.answered(servers -> ObjectReadings.readPage(servers.ask(request).orThrow()));
  }

  private static String words(ObjectQuery query) {
    String after = query.after().isEmpty() ? "" : "&after=" + encoded(query.after());
    return "type=" + encoded(query.type()) + "&limit=" + query.limit() + after;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * An operator's act. It is sent once, because it has no request id by which the store would
   * recognise a repeat.
   */
  @Override
  public CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by) {
    Request request =
        post(
            "/v1/objects/bind",
            out ->
                ObjectCommands.writeScope(out, scope).text("key", key.text()).text("by", by.name()),
            Repeat.NEVER);
    return calls.answered(servers -> ObjectReadings.readBefore(servers.ask(request).orThrow()));
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
    Request request =
        post("/v1/objects/unbind", out -> ObjectCommands.writeScope(out, scope), Repeat.NEVER);
    return calls.answered(servers -> ObjectReadings.readBefore(servers.ask(request).orThrow()));
  }

  @Override
  public CompletionStage<List<Binding>> bindings(ObjectQuery query) {
    Request request = Request.get("/v1/bindings?" + words(query));
    return calls.answered(servers -> ObjectReadings.readBindings(servers.ask(request).orThrow()));
  }

  @Override
  public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
    return streams.watch(type, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    PurgeQuery bounded =
        new PurgeQuery(query.deadForMillis(), Math.min(query.limit(), Commands.MAX_ITEMS));
    Request request =
        post("/v1/objects/purge", out -> StoreFacts.write(out, bounded), Repeat.NEVER);
    return calls.answered(servers -> StoreFacts.readPurged(servers.ask(request).orThrow()));
  }

  private static Request post(String path, Consumer<JsonOut> members, Repeat repeat) {
    return Request.post(path, Json.write(members), repeat);
  }
}
