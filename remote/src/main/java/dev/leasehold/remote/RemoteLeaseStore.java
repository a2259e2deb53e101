package dev.leasehold.remote;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.remote.Question.Repeat;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.Readings;
import dev.leasehold.remote.wire.StoreFacts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;

/**
 * The store behind a server, or behind several equal ones.
 *
 * <pre>{@code
 * try (RemoteLeaseStore store = RemoteLeaseStore.at("http://127.0.0.1:7420").open();
 *     Leases leases = Leases.on(store).open()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>It never lets a server wait for a key in its place: an answer that has waited gives no trust.
 * Whoever waits is told of changes, and asks then.
 */
public final class RemoteLeaseStore implements LeaseStore {
  private static final int CONFLICT = 409;

  private final Servers servers;
  private final Limits limits;
  private final ExecutorService threads;
  private final Calls calls;
  private final SharedStreams<ChangeListener<LeaseChange>> streams;
  private final SharedStreams<ChangeListener<ObjectChange>> objectStreams;
  private final ObjectStore objects;
  private final Ledger ledger;

  RemoteLeaseStore(Servers servers, Limits limits, ExecutorService threads) {
    this.servers = servers;
    this.limits = limits;
    this.threads = threads;
    this.calls = new Calls(servers, threads);
    this.streams = new SharedStreams<>(servers, threads, LeaseAudience::new);
    this.objectStreams = new SharedStreams<>(servers, threads, ObjectAudience::new);
    this.objects = new RemoteObjectStore(calls, objectStreams);
    this.ledger = new RemoteLedger(calls);
  }

  /** At a server, or at any of several on one store: {@code http://HOST:PORT}, or https. */
  public static RemoteStoreBuilder at(String... addresses) {
    return new RemoteStoreBuilder(List.of(addresses));
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<Command> commands = List.copyOf(batch);
    return calls.answered(some -> LeaseFreight.apply(some, commands));
  }

  /** By a listing of one: a key can hold what a path cannot. */
  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    ListQuery first = new ListQuery(key.text(), Optional.empty(), 1);
    return list(first)
        .thenApply(
            page ->
                page.items().stream().filter(item -> item.record().key().equals(key)).findFirst());
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    String after =
        query.after().map(key -> "&after=" + RemoteObjectStore.encoded(key.text())).orElse("");
    String path =
        "/v1/leases?detail=record&limit="
            + query.limit()
            + "&prefix="
            + RemoteObjectStore.encoded(query.prefix())
            + after;
    return calls.answered(some -> Readings.readPage(some.ask(Question.get(path)).orThrow()));
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return streams.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    PurgeQuery bounded =
        new PurgeQuery(query.deadForMillis(), Math.min(query.limit(), Commands.MAX_ITEMS));
    byte[] body = Json.write(out -> StoreFacts.write(out, bounded));
    Question question = Question.post("/v1/store/purge", body, Repeat.NEVER);
    return calls.answered(some -> StoreFacts.readPurged(some.ask(question).orThrow()));
  }

  /** It is sent once: done twice, it would end the grants that were made in between. */
  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    byte[] body = Json.write(out -> StoreFacts.write(out, advance));
    Question question = Question.post("/v1/store/advance", body, Repeat.NEVER);
    return calls.answered(
        some -> {
          Reply reply = some.ask(question);
          boolean refused = reply instanceof Reply.Said said && said.status() == CONFLICT;
          Members members = refused ? ((Reply.Said) reply).members() : reply.orThrow();
          return StoreFacts.readAdvanced(members);
        });
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return calls.answered(
        some -> StoreFacts.readSuspected(some.ask(Question.get("/v1/store")).orThrow()));
  }

  /** The objects beside these leases, to be given to {@code VersionedObjects.on}. */
  public ObjectStore objects() {
    return objects;
  }

  /** What a server finds when it looks at itself and at the store behind it. */
  public CompletionStage<List<Diagnosis>> doctor() {
    return calls.answered(
        some -> Diagnosis.readAll(some.ask(Question.get("/v1/doctor")).orThrow()));
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public void close() {
    streams.close();
    objectStreams.close();
    threads.shutdownNow();
    servers.close();
  }
}
