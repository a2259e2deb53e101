package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.Ticker;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * A request body that is read while it arrives, on a thread that may block. Every fault of the
 * body, including its size and its pace, is a {@link ProblemException}. A closed body keeps none of
 * the bytes that were not read.
 */
final class Body extends InputStream {
  private final Request request;
  private final Bounds bounds;
  private final BodyMemory.Share share;
  private final long deadline;

  private Content.Chunk chunk = Content.Chunk.EMPTY;
  private long size;

  /** How many bytes may arrive, and within which time. */
  record Bounds(int maxBytes, Duration longest) {}

  Body(Request request, Bounds bounds, BodyMemory.Share share) {
    this.request = request;
    this.bounds = bounds;
    this.share = share;
    this.deadline = Ticker.system().nanos() + bounds.longest().toNanos();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    while (!chunk.hasRemaining()) {
      if (chunk.isLast()) {
        return -1;
      }
      chunk.release();
      chunk = Content.Chunk.EMPTY;
      chunk = next();
    }
    ByteBuffer bytes = chunk.getByteBuffer();
    int given = Math.min(length, bytes.remaining());
    size += given;
    if (size > bounds.maxBytes()) {
      throw ProblemException.tooLarge(bounds.maxBytes());
    }
    share.reserve(given);
    bytes.get(buffer, offset, given);
    return given;
  }

  /** The bytes read since the last call have become an item. */
  void digested() {
    share.digest();
  }

  private Content.Chunk next() {
    Content.Chunk next = request.read();
    while (next == null) {
      awaitMore(deadline - Ticker.system().nanos());
      next = request.read();
    }
    if (Content.Chunk.isFailure(next) || deadline - Ticker.system().nanos() < 0) {
      // The connection failed, or the rest comes too late.
      next.release();
      throw tooSlow();
    }
    return next;
  }

  private void awaitMore(long nanos) {
    CountDownLatch more = new CountDownLatch(1);
    request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, more::countDown));
    try {
      if (!more.await(nanos, TimeUnit.NANOSECONDS)) {
        UnreadBody.markTimedOut(request);
        throw tooSlow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      UnreadBody.markTimedOut(request);
      throw tooSlow();
    }
  }

  private ProblemException tooSlow() {
    return ProblemException.of(
        Status.TIMEOUT,
        "Too slow",
        "the body must arrive within " + bounds.longest().toSeconds() + " s");
  }

  @Override
  public void close() {
    chunk.release();
    chunk = Content.Chunk.EMPTY;
  }
}
