package dev.leasehold.remote;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Changes;
import java.lang.System.Logger.Level;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * A stream of changes for all its listeners. A thread of its own reads it, and connects again
 * whenever it ends, resuming after the last event that came. A server that cannot resume there
 * sends a reset; if no event has come yet, all listeners are told to read again.
 */
final class ChangeStream<C> {
  private static final System.Logger LOG = System.getLogger(ChangeStream.class.getName());

  /** A server sends at least a line every ten seconds. */
  private static final Duration SILENCE = Duration.ofSeconds(25);

  /** A listener whose stream is established later than this gets a reset. */
  private static final Duration STANDS_WITHIN = Duration.ofSeconds(2);

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final Servers servers;
  private final Listeners<C> listeners;
  private final RandomGenerator random;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Whether a listener may have missed changes because the stream was not established. */
  private volatile boolean missing;

  private volatile EventLines lines = new EventLines();
  private int failures;
  private EventText events = new EventText();

  /** The id of the last event that all listeners were told of. */
  private Optional<String> lastId = Optional.empty();

  ChangeStream(Servers servers, Listeners<C> listeners, RandomGenerator random) {
    this.servers = servers;
    this.listeners = listeners;
    this.random = random;
  }

  /** Returns when the stream stands, or when it is clear that this takes longer. */
  Subscription add(ChangeListener<C> listener) {
    Subscription subscription = listeners.add(listener);
    try {
      if (!begun.await(STANDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        missing = true;
      }
    } catch (InterruptedException e) {
      missing = true;
      Thread.currentThread().interrupt();
    }
    return subscription;
  }

  void close() {
    closed.countDown();
    lines.stop();
  }

  /** Runs until it is closed, or its thread is interrupted. */
  void run() {
    try {
      do {
        read();
        missing = true;
        begun.countDown();
      } while (!closed.await(pauseMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long pauseMillis() {
    long longest = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    return random.nextLong(longest / 2, longest + 1);
  }

  /** Reads one connection from its beginning to its end. */
  private void read() throws InterruptedException {
    EventLines reader = new EventLines();
    lines = reader;
    int place = servers.place();
    CompletableFuture<HttpResponse<Void>> reading =
        servers.stream(place, listeners.path(), lastId, reader);
    var unused =
        reading.exceptionally(
            failure -> {
              reader.end(failure);
              throw new CompletionException(failure);
            });
    try {
      events = new EventText();
      boolean on = true;
      while (on && closed.getCount() > 0) {
        on = isTaken(reader.next(SILENCE));
      }
      if (closed.getCount() > 0) {
        servers.passOver(place);
      }
    } finally {
      boolean cancelled = reading.cancel(true);
      LOG.log(Level.DEBUG, "the stream {0} is over, {1}", listeners.path(), cancelled);
    }
  }

  private boolean isTaken(EventLines.Next next) {
    return switch (next) {
      case EventLines.Line(String text) -> {
        take(text);
        yield true;
      }
      case EventLines.Over(String why) -> {
        LOG.log(Level.DEBUG, "the stream {0} has ended: {1}", listeners.path(), why);
        yield false;
      }
      case EventLines.Refused(int status) -> {
        LOG.log(
            Level.WARNING,
            "{0} cannot be watched: the server answers {1}; waiters fall back on their timers",
            listeners.path(),
            status);
        yield false;
      }
    };
  }

  private void take(String line) {
    switch (events.take(line)) {
      case EventText.KeepAlive keepAlive -> stands();
      case EventText.Event whole -> tell(whole);
      case EventText.Incomplete incomplete -> {
        // The event is not complete yet.
      }
    }
  }

  /**
   * Called for the first line of a server, and for each one that it repeats to show that it is
   * alive.
   */
  private void stands() {
    failures = 0;
    begun.countDown();
    if (missing) {
      missing = false;
      if (lastId.isEmpty()) {
        listeners.reset();
      }
    }
  }

  private void tell(EventText.Event whole) {
    if (!whole.id().isEmpty()) {
      lastId = Optional.of(whole.id());
    }
    if (whole.name().isEmpty()) {
      return;
    }
    if (whole.name().equals(Changes.RESET)) {
      listeners.reset();
      return;
    }
    try {
      listeners.tell(whole.name(), whole.data().getBytes(StandardCharsets.UTF_8));
    } catch (BadJsonException e) {
      LOG.log(Level.WARNING, "an event could not be read: " + e.getMessage());
      listeners.reset();
    }
  }
}
