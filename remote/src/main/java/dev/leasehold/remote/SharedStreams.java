package dev.leasehold.remote;

import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/**
 * One stream for each prefix, or each type, that is watched, for as long as somebody does.
 *
 * @param <L> who is told
 */
final class SharedStreams<L> implements AutoCloseable {
  private final Servers servers;
  private final ExecutorService threads;
  private final Function<String, Audience<L>> audiences;

  /** Guarded by the monitor of this object. */
  private final Map<String, Shared<L>> streams = new HashMap<>();

  private static final class Shared<L> {
    final ChangeStream<L> stream;
    int users;

    Shared(ChangeStream<L> stream) {
      this.stream = stream;
    }
  }

  SharedStreams(Servers servers, ExecutorService threads, Function<String, Audience<L>> audiences) {
    this.servers = servers;
    this.threads = threads;
    this.audiences = audiences;
  }

  Subscription watch(String place, L listener) {
    Subscription watching = use(place).add(listener);
    return new Use(place, watching);
  }

  /** One watch; ending it twice ends it once. */
  private final class Use implements Subscription {
    private final String place;
    private final Subscription watching;
    private boolean ended;

    Use(String place, Subscription watching) {
      this.place = place;
      this.watching = watching;
    }

    @Override
    public void close() {
      synchronized (SharedStreams.this) {
        if (ended) {
          return;
        }
        ended = true;
        leave(place);
      }
      watching.close();
    }
  }

  private synchronized ChangeStream<L> use(String place) {
    Shared<L> shared =
        streams.computeIfAbsent(
            place,
            text -> {
              SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
              ChangeStream<L> stream = new ChangeStream<>(servers, audiences.apply(text), random);
              threads.execute(stream::run);
              return new Shared<>(stream);
            });
    shared.users++;
    return shared.stream;
  }

  private synchronized void leave(String place) {
    Shared<L> shared = streams.get(place);
    if (shared != null) {
      shared.users--;
      if (shared.users == 0) {
        shared.stream.close();
        streams.remove(place);
      }
    }
  }

  @Override
  public synchronized void close() {
    streams.values().forEach(shared -> shared.stream.close());
    streams.clear();
  }
}
