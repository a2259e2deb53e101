package dev.leasehold.server.http;

import dev.leasehold.remote.api.Operation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Request;

/**
 * The share of the heap in which all bodies are read. A request reserves memory for its body and
 * for all that is made of it before it reads on, and returns the memory when it is answered. A
 * request that finds too little is told to come again. Bodies of {@link Operation#SMALL_BODY} need
 * no reservation, so that renewals pass regardless of other traffic.
 */
final class BodyMemory {
  /** The rest of the heap is for the work of the server and its store on the bodies. */
  private static final int SHARE_OF_HEAP = 4;

  /** A body that arrives slowly must not occupy the server for longer. */
  private static final Duration LONGEST_BODY = Duration.ofSeconds(10);

  private final AtomicLong left;
  private final Duration longest;

  BodyMemory(long bytes, Duration longest) {
    this.left = new AtomicLong(bytes);
    this.longest = longest;
  }

  static BodyMemory ofHeap() {
    return new BodyMemory(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, LONGEST_BODY);
  }

  long left() {
    return left.get();
  }

  /** The body of a request, of at most {@code max} bytes. */
  Body open(Request request, int max) {
    if (request.getLength() > max) {
      throw ProblemException.tooLarge(max);
    }
    if (request.getLength() > Operation.SMALL_BODY && request.getLength() > left.get()) {
      throw busy();
    }
    Share share = new Share();
    Request.addCompletionListener(request, failure -> share.giveBack());
    return new Body(request, new Body.Bounds(max, longest), share);
  }

  private static ProblemException busy() {
    return ProblemException.of(
        Status.UNAVAILABLE,
        "Busy",
        "large requests take all the memory there is for them: nothing was done; ask again, or for"
            + " less");
  }

  /**
   * The memory that one request has reserved until it is answered: for the bytes that have arrived,
   * not for the announced length, because announcing a length costs a client nothing.
   */
  final class Share {
    /**
     * A byte that is being parsed is in memory several times: as a character, in its text, and
     * decoded.
     */
    private static final int PER_BYTE = 4;

    /**
     * Memory for an item besides its own bytes: its command, its outcome, and its line in the
     * answer.
     */
    private static final int PER_ITEM = 2_048;

    private final AtomicLong taken = new AtomicLong();

    // Confined to the request's thread.
    private long size;
    private long kept;
    private long parsing;

    private Share() {}

    /** Called before the next {@code bytes} bytes are parsed. */
    void reserve(int bytes) {
      size += bytes;
      parsing += bytes;
      cover();
    }

    /** The bytes parsed since the last call have become an item; nothing else of them is kept. */
    void digest() {
      kept += parsing + PER_ITEM;
      parsing = 0;
      cover();
    }

    private void cover() {
      long needed = size <= Operation.SMALL_BODY ? 0 : kept + PER_BYTE * parsing;
      long more = needed - taken.get();
      long before = left.getAndUpdate(now -> now < more ? now : now - more);
      if (before < more) {
        throw busy();
      }
      taken.addAndGet(more);
    }

    private void giveBack() {
      left.addAndGet(taken.getAndSet(0));
    }
  }
}
