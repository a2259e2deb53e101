package dev.leasehold.remote;

import dev.leasehold.kernel.spi.LeaseStore.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;

/** One stream for each prefix that is watched, for as long as somebody does. */
final class ChangeStreams implements AutoCloseable {
  private final Servers servers;
  private final ExecutorService threads;

  /** Guarded by the monitor of this object. */
  private final Map<String, Shared> streams = new HashMap<>();

  private static final class Shared {
    final ChangeStream stream;
    int users;

    Shared(ChangeStream stream) {
      this.stream = stream;
    }
  }

  ChangeStreams(Servers servers, ExecutorService threads) {
    this.servers = servers;
    this.threads = threads;
  }

  Subscription watch(String prefix, ChangeListener listener) {
    Subscription watching = use(prefix).add(listener);
    return new Use(prefix, watching);
  }

  /** One watch; ending it twice ends it once. */
  private final class Use implements Subscription {
    private final String prefix;
    private final Subscription watching;
    private boolean ended;

    Use(String prefix, Subscription watching) {
      this.prefix = prefix;
      this.watching = watching;
    }

    @Override
    public void close() {
      synchronized (ChangeStreams.this) {
        if (ended) {
          return;
        }
        ended = true;
        leave(prefix);
      }
      watching.close();
    }
  }

  private synchronized ChangeStream use(String prefix) {
    Shared shared =
        streams.computeIfAbsent(
            prefix,
            text -> {
              SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
              ChangeStream stream = new ChangeStream(servers, text, random);
              threads.execute(stream::run);
              return new Shared(stream);
            });
    shared.users++;
    return shared.stream;
  }

  private synchronized void leave(String prefix) {
    Shared shared = streams.get(prefix);
    if (shared != null) {
      shared.users--;
      if (shared.users == 0) {
        shared.stream.close();
        streams.remove(prefix);
      }
    }
  }

  @Override
  public synchronized void close() {
    streams.values().forEach(shared -> shared.stream.close());
    streams.clear();
  }
}
