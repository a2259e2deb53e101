package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * The unread rest of a body. If a connection is closed with unread bytes, the client may lose the
 * answer that was sent before. The server therefore reads for a while and discards the bytes.
 */
record UnreadBody(Request request, Ticker ticker) {
  private static final long MOST_BYTES = 64L << 20;
  private static final long MOST_AT_ONCE = 256 * 1024;
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /**
   * Marks a request whose body did not arrive in time. Its pending read is still registered, and
   * Jetty allows only one.
   */
  private static final String MISSED = UnreadBody.class.getName() + ".missed";

  /** How far reading has come. */
  private enum State {
    ALL_CAME,
    NOTHING_YET,
    ENOUGH
  }

  /** Records that a reader has waited for more of this body until its time was up. */
  static void markTimedOut(Request request) {
    request.setAttribute(MISSED, true);
  }

  /** Whether the body has been read completely. Does not wait. */
  boolean isFullyRead() {
    return readUpTo(MOST_AT_ONCE) == State.ALL_CAME;
  }

  /** Reads until the body ends, no more bytes come, or a limit is reached. */
  void discard() throws InterruptedException {
    if (request.getAttribute(MISSED) != null) {
      return;
    }
    long deadline = ticker.nanos() + LONGEST.toNanos();
    for (long read = 0; read < MOST_BYTES; read += MOST_AT_ONCE) {
      State state = readUpTo(MOST_AT_ONCE);
      if (state == State.ALL_CAME
          || deadline - ticker.nanos() < 0
          || (state == State.NOTHING_YET && !comesMore())) {
        return;
      }
    }
  }

  private State readUpTo(long bytes) {
    long left = bytes;
    while (left > 0) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        return State.NOTHING_YET;
      }
      if (Content.Chunk.isFailure(chunk)) {
        return State.ALL_CAME;
      }
      left -= chunk.remaining();
      boolean last = chunk.isLast();
      chunk.release();
      if (last) {
        return State.ALL_CAME;
      }
    }
    return State.ENOUGH;
  }

  private boolean comesMore() throws InterruptedException {
    CountDownLatch more = new CountDownLatch(1);
    request.demand(more::countDown);
    return more.await(LONGEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
