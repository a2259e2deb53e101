package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.ChangeListener;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last changes that the store has told of, numbered, for any number of streams. A stream keeps
 * nothing but the number that it has come to: one that is too slow finds that what follows is gone,
 * and ends. Its reader comes again, and reads all that there is.
 */
public final class ChangeHub<C> implements ChangeListener<C>, AutoCloseable {
  /** A stream gets so many at once. */
  private static final int MOST_AT_ONCE = 1_000;

  private final String feedId;
  private final int kept;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();

  // All guarded by the lock.
  private final Deque<Event<C>> events = new ArrayDeque<>();
  private long last;
  private boolean closed;

  /** One change; empty: something may have been missed here. */
  record Event<C>(long number, Optional<C> change) {}

  /** The answer to a stream that has come to a number. */
  sealed interface Next<C> {}

  /** These follow; none, if nothing came in time. */
  record Following<C>(List<Event<C>> events) implements Next<C> {}

  /** Changes in between were dropped. */
  record Forgotten<C>() implements Next<C> {}

  /** The hub is closed. */
  record Over<C>() implements Next<C> {}

  /** Keeps so many changes. */
  public ChangeHub(int kept) {
    this(HexFormat.of().toHexDigits(new SecureRandom().nextLong()), kept);
  }

  ChangeHub(String feedId, int kept) {
    this.feedId = feedId;
    this.kept = kept;
  }

  @Override
  public void changed(C change) {
    add(Optional.of(change));
  }

  @Override
  public void reset() {
    add(Optional.empty());
  }

  private void add(Optional<C> change) {
    lock.lock();
    try {
      last++;
      events.addLast(new Event<>(last, change));
      if (events.size() > kept) {
        events.removeFirst();
      }
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of the last one. */
  long last() {
    lock.lock();
    try {
      return last;
    } finally {
      lock.unlock();
    }
  }

  /** What a stream tells its reader, to come back to. */
  String idOf(long number) {
    return feedId + "-" + number;
  }

  /** The number that a reader comes back to; empty if it cannot go on from there. */
  Optional<Long> resume(String id) {
    if (!id.matches("[0-9a-f]{1,16}-[0-9]{1,18}") || !id.startsWith(feedId + "-")) {
      return Optional.empty();
    }
    long number = Long.parseLong(id.substring(feedId.length() + 1));
    lock.lock();
    try {
      return number <= last && number >= oldest() - 1 ? Optional.of(number) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private long oldest() {
    return events.isEmpty() ? last + 1 : events.getFirst().number();
  }

  /** Waits for what follows a number, for so long. */
  Next<C> after(long number, long waitMillis) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
      while (number >= last && !closed && left > 0) {
        left = more.awaitNanos(left);
      }
      if (closed) {
        return new Over<>();
      }
      if (number < oldest() - 1) {
        return new Forgotten<>();
      }
      List<Event<C>> following = new ArrayList<>();
      var newest = events.descendingIterator();
      while (newest.hasNext()) {
        Event<C> event = newest.next();
        if (event.number() <= number) {
          break;
        }
        following.add(event);
      }
      List<Event<C>> inOrder = following.reversed();
      return new Following<>(
          List.copyOf(inOrder.subList(0, Math.min(MOST_AT_ONCE, inOrder.size()))));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
