package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.Changes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Changes of the rows of one topic, such as the objects of a type, as server-sent events. After a
 * {@code reset} a reader that needs the rows lists them itself.
 *
 * @param <C> a change
 */
public final class TopicWatch<C> implements AutoCloseable {
  /** Beyond this number, a topic without readers makes room for the next. */
  static final int MAX_TOPICS = 1_000;

  /** For each topic that is watched; a reader that has missed more lists anew. */
  private static final int CHANGES_KEPT = 1_024;

  private final Source<C> source;
  private final Changes<C> format;
  private final Streams streams;

  /** Guarded by the monitor of this object. */
  private final Map<String, Watched<C>> topics = new HashMap<>();

  /** Guarded by the monitor of this object. */
  private boolean closed;

  /** Where a block's changes come from. */
  public interface Source<C> {
    Subscription watch(String topic, ChangeListener<C> listener);
  }

  /** A topic that has or had readers. A reader that returns resumes where it left off. */
  private static final class Watched<C> {
    final ChangeHub<C> hub = new ChangeHub<>(CHANGES_KEPT);
    final Subscription watch;
    final AtomicInteger readers = new AtomicInteger();

    Watched(Source<C> source, String topic) {
      this.watch = source.watch(topic, hub);
    }

    void end() {
      watch.close();
      hub.close();
    }
  }

  public TopicWatch(Source<C> source, Changes<C> format, Streams streams) {
    this.source = source;
    this.format = format;
    this.streams = streams;
  }

  /** A stream of the changes of a topic, which the caller may read. */
  ApiResponse watch(Call call, String topic) {
    return watched(topic)
        .map(watched -> stream(call, watched))
        .orElseGet(RequestDispatcher::stopping);
  }

  private ApiResponse stream(Call call, Watched<C> watched) {
    ApiResponse.Stream stream;
    try {
      stream = streams.open(call, sink -> new EventStream<>(watched.hub, sink, format));
    } catch (RuntimeException e) {
      watched.readers.decrementAndGet();
      throw e;
    }
    return new ApiResponse.Stream(
        stream.type(),
        sink -> {
          try {
            stream.body().writeTo(sink);
          } finally {
            watched.readers.decrementAndGet();
          }
        });
  }

  /**
   * Counts the reader at once, so that the topic is not removed before the stream starts; empty
   * once this is closed, because nothing would end the stream.
   */
  private synchronized Optional<Watched<C>> watched(String topic) {
    if (closed) {
      return Optional.empty();
    }
    Watched<C> watched = topics.get(topic);
    if (watched == null) {
      makeRoom();
      watched = new Watched<>(source, topic);
      topics.put(topic, watched);
    }
    watched.readers.incrementAndGet();
    return Optional.of(watched);
  }

  /** The number of readers of a topic, including those about to start. */
  synchronized int readers(String topic) {
    return Optional.ofNullable(topics.get(topic)).map(watched -> watched.readers.get()).orElse(0);
  }

  private void makeRoom() {
    if (topics.size() >= MAX_TOPICS) {
      String idle =
          topics.entrySet().stream()
              .filter(one -> one.getValue().readers.get() == 0)
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow(
                  () -> ProblemException.tooMany(MAX_TOPICS + " topics are watched already"));
      Watched<C> removed = topics.remove(idle);
      if (removed != null) {
        removed.end();
      }
    }
  }

  /** Ends all streams and starts no more. */
  @Override
  public synchronized void close() {
    closed = true;
    topics.values().forEach(Watched::end);
    topics.clear();
  }
}
