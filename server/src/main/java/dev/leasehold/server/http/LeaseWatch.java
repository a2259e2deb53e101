package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.wire.Changes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET /v1/leases/watch}: changes as server-sent events, from now on, or from the reader's
 * {@code Last-Event-ID}. Where changes may have been missed, the stream sends {@code reset}, and
 * then one event for each key on record that describes its present state.
 */
public final class LeaseWatch {
  /** How many changes of leases a server keeps for streams that come again. */
  public static final int CHANGES_KEPT = 16_384;

  private final LeaseStore store;
  private final ChangeHub<LeaseChange> hub;
  private final Streams streams;

  public LeaseWatch(LeaseStore store, ChangeHub<LeaseChange> hub, Streams streams) {
    this.store = store;
    this.hub = hub;
    this.streams = streams;
  }

  public List<Route> routes() {
    return List.of(Route.of(LeaseApi.WATCH, this::watch));
  }

  private ApiResponse watch(Call call) {
    call.requireKnownQuery();
    String prefix = call.parameter("prefix").orElse("");
    call.requireCovered(prefix);
    return streams.open(call, sink -> new Stream(prefix, sink));
  }

  /** One reader. */
  private final class Stream extends EventStream<LeaseChange> {
    private final String prefix;

    Stream(String prefix, ApiResponse.Sink sink) {
      super(hub, sink, Changes.OF_LEASES);
      this.prefix = prefix;
    }

    @Override
    boolean isWanted(LeaseChange change) {
      return change.isUnder(prefix);
    }

    @Override
    void list() throws IOException, InterruptedException {
      Optional<LeaseKey> after = Optional.empty();
      do {
        // The request's own time is long over, so each page has a time of its own.
        LeasePage page =
            new WaitLimit(Ticker.system())
                .await(store.list(new ListQuery(prefix, after, ListQuery.MAX_LIMIT)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (LeaseReading reading : page.items()) {
          writeListed(bytes, lastChangeOf(reading));
        }
        send(bytes);
        after = page.next();
      } while (after.isPresent());
    }
  }

  private static LeaseChange lastChangeOf(LeaseReading reading) {
    var record = reading.record();
    Kind kind =
        record
            .grant()
            .map(
                grant ->
                    switch (grant.standing()) {
                      case Standing.Open open ->
                          grant.isUnexpired(reading.atMillis()) ? Kind.GRANTED : Kind.EXPIRED;
                      case Standing.Lapsed lapsed -> Kind.EXPIRED;
                      case Standing.Ended ended ->
                          ended.reason() instanceof LossReason.Released
                              ? Kind.RELEASED
                              : Kind.REVOKED;
                    })
            .orElse(Kind.RELEASED);
    return new LeaseChange(
        kind, record.key(), record.grant().map(grant -> grant.token()).orElse(record.last()));
  }
}
