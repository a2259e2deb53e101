package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.Operation;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Where bodies are read. Each is bounded in size and in time, and so is what the large ones of all
 * requests have together: each alone is within its bound, and a few at once would still be more
 * than there is memory for.
 */
final class BodyRoom {
  private static final long LEAST = 64L << 20;

  /** What is read from a body takes a few times its bytes. */
  private static final int SHARE_OF_HEAP = 4;

  /** A body that trickles in must not occupy the server for longer. */
  private static final Duration LONGEST_BODY = Duration.ofSeconds(10);

  private final AtomicLong left;
  private final Duration longest;

  BodyRoom(long bytes, Duration longest) {
    this.left = new AtomicLong(bytes);
    this.longest = longest;
  }

  static BodyRoom ofHeap() {
    long bytes = Math.max(LEAST, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    return new BodyRoom(bytes, LONGEST_BODY);
  }

  long left() {
    return left.get();
  }

  /** All of a body, of so many bytes at the most. */
  byte[] read(Request request, int max) {
    if (request.getLength() > max) {
      throw ProblemException.tooLarge(max);
    }
    if (request.getLength() > Operation.SMALL_BODY && request.getLength() > left.get()) {
      throw busy();
    }
    Share share = new Share();
    Request.addCompletionListener(request, failure -> share.giveBack());
    long deadline = Ticker.system().nanos() + longest.toNanos();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean last = false;
    while (!last) {
      Content.Chunk chunk = next(request, deadline);
      last = chunk.isLast();
      body.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
      chunk.release();
      if (body.size() > max) {
        throw ProblemException.tooLarge(max);
      }
      share.cover(body.size());
    }
    return body.toByteArray();
  }

  private Content.Chunk next(Request request, long deadline) {
    Content.Chunk chunk = request.read();
    while (chunk == null) {
      awaitMore(request, deadline - Ticker.system().nanos());
      chunk = request.read();
    }
    if (Content.Chunk.isFailure(chunk) || deadline - Ticker.system().nanos() < 0) {
      // Nothing more will come, or not in time.
      chunk.release();
      throw tooSlow();
    }
    return chunk;
  }

  private void awaitMore(Request request, long nanos) {
    CountDownLatch more = new CountDownLatch(1);
    request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, more::countDown));
    try {
      if (!more.await(nanos, TimeUnit.NANOSECONDS)) {
        Leftovers.areMissed(request);
        throw tooSlow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Leftovers.areMissed(request);
      throw tooSlow();
    }
  }

  private ProblemException tooSlow() {
    return ProblemException.of(
        Status.TIMEOUT, "Too slow", "a body is to be here within " + longest.toSeconds() + " s");
  }

  private static ProblemException busy() {
    return ProblemException.of(
        Status.UNAVAILABLE,
        "Busy",
        "other large requests take all the memory there is for them: nothing was done, ask again");
  }

  /**
   * What one request has of the room until it is answered: as much as has come of its body, not
   * what it says that will come, which costs its sender nothing. Small bodies have none.
   */
  private final class Share {
    private final AtomicLong taken = new AtomicLong();

    void cover(int bytes) {
      long more = bytes - taken.get();
      if (bytes <= Operation.SMALL_BODY || more == 0) {
        return;
      }
      long before = left.getAndUpdate(now -> now < more ? now : now - more);
      if (before < more) {
        throw busy();
      }
      taken.addAndGet(more);
    }

    void giveBack() {
      left.addAndGet(taken.getAndSet(0));
    }
  }
}
