package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.ObjectChanges;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code GET /v1/objects?type=T&watch=true}: changes of the objects of a type as server-sent
 * events. After a {@code reset}, whoever cares lists the type: payloads may be large, and events
 * have none.
 */
public final class ObjectWatch implements AutoCloseable {
  /** Beyond that many, one that nobody reads now makes room. */
  static final int MAX_TYPES = 1_000;

  private final ObjectStore store;
  private final Streams streams;

  /** Guarded by the monitor of this object. */
  private final Map<String, Watched> types = new HashMap<>();

  /** Guarded by the monitor of this object. */
  private boolean closed;

  /** A type that is watched, or was: whoever comes back to it goes on where it was. */
  private static final class Watched {
    final ObjectHub hub = new ObjectHub();
    final Subscription watch;
    final AtomicInteger readers = new AtomicInteger();

    Watched(ObjectStore store, String type) {
      this.watch = store.watch(type, hub);
    }

    void end() {
      watch.close();
      hub.close();
    }
  }

  public ObjectWatch(ObjectStore store, Streams streams) {
    this.store = store;
    this.streams = streams;
  }

  Answer watch(Call call) {
    return watched(ObjectBatches.query(call).type())
        .map(watched -> stream(call, watched))
        .orElseGet(Front::stopping);
  }

  private Answer stream(Call call, Watched watched) {
    Answer.Stream stream;
    try {
      stream = streams.open(call, sink -> new Stream(watched.hub, sink));
    } catch (RuntimeException e) {
      watched.readers.decrementAndGet();
      throw e;
    }
    return new Answer.Stream(
        stream.type(),
        sink -> {
          try {
            stream.body().writeTo(sink);
          } finally {
            watched.readers.decrementAndGet();
          }
        });
  }

  /** One reader. */
  private static final class Stream extends EventStream<ObjectChange> {
    Stream(ObjectHub hub, Answer.Sink sink) {
      super(hub, sink);
    }

    @Override
    boolean isWanted(ObjectChange change) {
      return true;
    }

    @Override
    String name(ObjectChange change) {
      return ObjectChanges.event(change.kind());
    }

    @Override
    byte[] data(ObjectChange change) {
      return ObjectChanges.data(change);
    }

    @Override
    void list() {
      // Whoever cares does.
    }
  }

  /**
   * With its reader counted, so that it does not make room for another before it is read; nothing
   * once this is closed, since nobody would end it.
   */
  private synchronized Optional<Watched> watched(String type) {
    if (closed) {
      return Optional.empty();
    }
    Watched watched = types.get(type);
    if (watched == null) {
      makeRoom();
      watched = new Watched(store, type);
      types.put(type, watched);
    }
    watched.readers.incrementAndGet();
    return Optional.of(watched);
  }

  /** How many read a type, or are about to. */
  synchronized int readers(String type) {
    return Optional.ofNullable(types.get(type)).map(watched -> watched.readers.get()).orElse(0);
  }

  private void makeRoom() {
    if (types.size() >= MAX_TYPES) {
      String idle =
          types.entrySet().stream()
              .filter(one -> one.getValue().readers.get() == 0)
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow(
                  () -> ProblemException.tooMany(MAX_TYPES + " types are watched already"));
      Watched removed = types.remove(idle);
      if (removed != null) {
        removed.end();
      }
    }
  }

  /** Ends all streams, and begins none any more. */
  @Override
  public synchronized void close() {
    closed = true;
    types.values().forEach(Watched::end);
    types.clear();
  }
}
