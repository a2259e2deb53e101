package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.remote.wire.Changes;
import dev.leasehold.server.security.Permission;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code GET /v1/leases/watch}: changes as server-sent events, from now on, or from where a reader
 * was with {@code Last-Event-ID}. Where nobody knows what it has missed, {@code reset} comes, and
 * then for each key on record the event that it was left by: a listing in the same words.
 */
public final class LeaseWatch {
  /** So that both sides, and what is between, can tell silence from an end. */
  static final long HEARTBEAT_MILLIS = 10_000;

  private final LeaseStore store;
  private final ChangeHub hub;
  private final int maxStreams;
  private final AtomicInteger streams = new AtomicInteger();

  /** More streams at a time are told to come again. */
  public LeaseWatch(LeaseStore store, ChangeHub hub, int maxStreams) {
    this.store = store;
    this.hub = hub;
    this.maxStreams = maxStreams;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/leases/watch", Permission.READ, this::watch));
  }

  public int streams() {
    return streams.get();
  }

  private Answer watch(Call call) {
    String prefix = call.parameter("prefix").orElse("");
    call.requireCovered(prefix);
    Optional<String> lastId = call.header("Last-Event-ID");
    if (streams.incrementAndGet() > maxStreams) {
      streams.decrementAndGet();
      throw ProblemException.tooMany(maxStreams + " streams are open already");
    }
    return new Answer.Stream(
        "text/event-stream",
        sink -> {
          try {
            new Stream(prefix, sink).run(lastId);
          } finally {
            streams.decrementAndGet();
          }
        });
  }

  /** One reader. */
  private final class Stream {
    private final String prefix;
    private final Answer.Sink sink;
    private long number = hub.last();

    Stream(String prefix, Answer.Sink sink) {
      this.prefix = prefix;
      this.sink = sink;
    }

    void run(Optional<String> lastId) throws IOException, InterruptedException {
      sink.write(": watching\n\n".getBytes(StandardCharsets.US_ASCII));
      if (lastId.isPresent()) {
        Optional<Long> resumed = hub.resume(lastId.get());
        if (resumed.isPresent()) {
          number = resumed.get();
        } else {
          reset();
        }
      }
      boolean on = true;
      while (on) {
        on = step(hub.after(number, HEARTBEAT_MILLIS));
      }
    }

    /** Whether it goes on. A reader that was too slow is cut off, and comes again. */
    private boolean step(ChangeHub.Next next) throws IOException, InterruptedException {
      switch (next) {
        case ChangeHub.Following(List<ChangeHub.Event> events) -> {
          if (events.isEmpty()) {
            sink.write(": still here\n\n".getBytes(StandardCharsets.US_ASCII));
          } else {
            tell(events);
          }
          return true;
        }
        case ChangeHub.Forgotten forgotten -> throw new IOException("the reader is too slow");
        case ChangeHub.Over over -> {
          return false;
        }
      }
    }

    private void tell(List<ChangeHub.Event> events) throws IOException, InterruptedException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (ChangeHub.Event event : events) {
        if (event.change().isEmpty()) {
          send(bytes);
          // The listing comes after everything before now, so that goes untold.
          reset();
          return;
        }
        number = event.number();
        LeaseChange change = event.change().get();
        if (change.key().text().startsWith(prefix)) {
          write(bytes, change);
        }
      }
      send(bytes);
    }

    private void send(ByteArrayOutputStream bytes) throws IOException {
      if (bytes.size() > 0) {
        sink.write(bytes.toByteArray());
      }
    }

    private void reset() throws IOException, InterruptedException {
      number = hub.last();
      sink.write(
          ("event: " + Changes.RESET + "\nid: " + hub.idOf(number) + "\ndata: {}\n\n")
              .getBytes(StandardCharsets.US_ASCII));
      Optional<LeaseKey> after = Optional.empty();
      do {
        LeasePage page =
            StoreAnswers.await(store.list(new ListQuery(prefix, after, ListQuery.MAX_LIMIT)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (LeaseReading reading : page.items()) {
          write(bytes, lastChangeOf(reading));
        }
        send(bytes);
        after = page.next();
      } while (after.isPresent());
    }

    private void write(ByteArrayOutputStream bytes, LeaseChange change) {
      String head =
          "event: " + Changes.event(change.kind()) + "\nid: " + hub.idOf(number) + "\ndata: ";
      bytes.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
      bytes.writeBytes(Changes.data(change));
      bytes.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
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
