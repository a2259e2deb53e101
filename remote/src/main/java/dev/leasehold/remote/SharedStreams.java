package dev.leasehold.remote;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/**
 * One stream for each watched prefix or type, open as long as it has listeners.
 *
 * @param <C> who is told
 */
final class SharedStreams<C> implements AutoCloseable {
  private final Servers servers;
  private final ExecutorService threads;
  private final Function<String, Listeners<C>> newListeners;

  /** Guarded by the monitor of this object. */
  private final Map<String, Shared<C>> streams = new HashMap<>();

  private static final class Shared<C> {
    final ChangeStream<C> stream;
    int users;

    Shared(ChangeStream<C> stream) {
      this.stream = stream;
    }
  }

  SharedStreams(
      Servers servers, ExecutorService threads, Function<String, Listeners<C>> newListeners) {
    this.servers = servers;
    this.threads = threads;
    this.newListeners = newListeners;
  }

  Subscription watch(String place, ChangeListener<C> listener) {
    Subscription watching = use(place).add(listener);
    return new Use(place, watching);
  }

  /** One watch. Closing it again has no effect. */
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

  private synchronized ChangeStream<C> use(String place) {
    Shared<C> shared =
        streams.computeIfAbsent(
            place,
            text -> {
              SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
              ChangeStream<C> stream =
                  new ChangeStream<>(servers, newListeners.apply(text), random);
              threads.execute(stream::run);
              return new Shared<>(stream);
            });
    shared.users++;
    return shared.stream;
  }

  private synchronized void leave(String place) {
    Shared<C> shared = streams.get(place);
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
