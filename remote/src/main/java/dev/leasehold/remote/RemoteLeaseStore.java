package dev.leasehold.remote;

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
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.api.StoreApi;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.Outcomes;
import dev.leasehold.remote.wire.Readings;
import dev.leasehold.remote.wire.StoreFacts;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The leases of a store behind servers. */
final class RemoteLeaseStore implements LeaseStore {
  static final BatchCodec<LeaseKey, Command, Outcome> COMMANDS =
      new BatchCodec<>(
          Command.KIND,
          LeaseApi.BATCH.path() + "?detail=record",
          Commands::writeBatch,
          Outcomes::readResults);

  private static final int CONFLICT = 409;

  private final Calls calls;
  private final Limits limits;
  private final SharedStreams<LeaseChange> streams;
  private final Ledger ledger;
  private final Runnable closing;

  /** {@code closing} closes the store that this is a part of. */
  RemoteLeaseStore(
      Calls calls, Limits limits, SharedStreams<LeaseChange> streams, Runnable closing) {
    this.calls = calls;
    this.limits = limits;
    this.streams = streams;
    this.ledger = new RemoteLedger(calls);
    this.closing = closing;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<Command> commands = List.copyOf(batch);
    return calls
        .apply(COMMANDS, commands.stream().filter(one -> !one.isOfStores()).toList())
        .thenApply(outcomes -> withRejected(commands, outcomes.iterator()));
  }

  private static List<Outcome> withRejected(List<Command> commands, Iterator<Outcome> ofOthers) {
    return commands.stream()
        .map(
            command ->
                command.isOfStores()
                    ? new Outcome.Rejected("only a store sends this command, and to itself")
                    : ofOthers.next())
        .toList();
  }

  /** Uses a listing of one key, because a key can contain characters that a path cannot. */
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
    String after = query.after().map(key -> "&after=" + Calls.encoded(key.text())).orElse("");
    return calls.get(
        LeaseApi.LIST.path()
            + "?detail=record&limit="
            + query.limit()
            + "&prefix="
            + Calls.encoded(query.prefix())
            + after,
        Readings::readPage);
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return streams.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return calls.purge(StoreApi.PURGE_ENDED.path(), query);
  }

  /** Sent once, because a repeated advance would end the grants made in between. */
  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    byte[] body = Json.write(out -> StoreFacts.write(out, advance));
    Request request = Request.post(StoreApi.ADVANCE.path(), body, Repeat.NEVER);
    return calls.answered(
        some -> {
          Reply reply = some.ask(request);
          boolean refused = reply instanceof Reply.Answer answer && answer.status() == CONFLICT;
          Members members = refused ? ((Reply.Answer) reply).members() : reply.orThrow();
          return StoreFacts.readAdvanced(members);
        });
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return calls.get(StoreApi.FACTS.path(), StoreFacts::readSuspected);
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
    closing.run();
  }
}
