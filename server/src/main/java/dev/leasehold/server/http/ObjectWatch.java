package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.ObjectChanges;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code GET /v1/objects?type=T&watch=true}: changes of the objects of a type as server-sent
 * events. After a {@code reset} a reader that needs the objects lists the type itself: payloads may
 * be large, and events carry none.
 */
public final class ObjectWatch implements AutoCloseable {
  /** Beyond this number, a type without readers makes room for the next. */
  static final int MAX_TYPES = 1_000;

  /** For each type that is watched; a reader that has missed more lists anew. */
  private static final int CHANGES_KEPT = 1_024;

  private final ObjectStore store;
  private final Streams streams;

  /** Guarded by the monitor of this object. */
  private final Map<String, Watched> types = new HashMap<>();

  /** Guarded by the monitor of this object. */
  private boolean closed;

  /** A type that has or had readers. A reader that returns resumes where it left off. */
  private static final class Watched {
    final ChangeHub<ObjectChange> hub = new ChangeHub<>(CHANGES_KEPT);
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
        .orElseGet(RequestDispatcher::stopping);
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
    Stream(ChangeHub<ObjectChange> hub, Answer.Sink sink) {
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
      // The reader lists the objects itself.
    }
  }

  /**
   * Counts the reader at once, so that the type is not removed before the stream starts; empty once
   * this is closed, because nothing would end the stream.
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

  /** The number of readers of a type, including those about to start. */
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

  /** Ends all streams and starts no more. */
  @Override
  public synchronized void close() {
    closed = true;
    types.values().forEach(Watched::end);
    types.clear();
  }
}
