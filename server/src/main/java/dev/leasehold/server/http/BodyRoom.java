package dev.leasehold.server.http;

import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Request;

/**
 * How many bytes the large bodies of all requests may have together: each alone is within its
 * bound, and a few at once would still be more than there is memory for.
 */
final class BodyRoom {
  private static final long LEAST = 64L << 20;

  /** What is read from a body takes a few times its bytes. */
  private static final int SHARE_OF_HEAP = 4;

  private final AtomicLong left;

  BodyRoom(long bytes) {
    this.left = new AtomicLong(bytes);
  }

  static BodyRoom ofHeap() {
    return new BodyRoom(Math.max(LEAST, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }

  long left() {
    return left.get();
  }

  /**
   * Takes room for a body before it is read, until its request is answered. One that does not say
   * how long it is counts as the longest that is allowed, and small ones do not count.
   */
  void take(Request request, int max) {
    long told = request.getLength();
    long bytes = told < 0 ? max : told;
    if (bytes <= Call.LEASE_BODY) {
      return;
    }
    long before = left.getAndUpdate(now -> now < bytes ? now : now - bytes);
    if (before < bytes) {
      throw ProblemException.of(
          Status.UNAVAILABLE,
          "Busy",
          "other large requests take all the memory there is for them: nothing was done, ask"
              + " again");
    }
    Request.addCompletionListener(request, failure -> left.addAndGet(bytes));
  }
}
