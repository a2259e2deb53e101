package dev.leasehold.fence;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The high-water mark of one key. It only rises, and it rises only under the lock that changes run
 * under: so whoever reads it at t knows that no change below t is under way.
 *
 * <p>It is kept doubled: twice a token admits that token and above, one more than that, which a
 * void token leaves, admits only what is above it.
 */
final class Mark {
  private static final long BELOW_EVERY_TOKEN = 0;

  // Not a monitor: a change may block, and would pin the carrier of a virtual thread on JDK 21.
  private final ReentrantLock lock = new ReentrantLock();

  // Written under the lock. Read without it, so that the common answers cost one volatile read.
  private volatile long highest = BELOW_EVERY_TOKEN;

  boolean isAt(Token token) {
    return highest == atLeast(token);
  }

  /** Whether it stands where sealing with this token, a grant's or a void one, has put it. */
  boolean isSealedWith(Token token) {
    return highest / 2 == token.value();
  }

  boolean isBelow(Token token) {
    return highest < atLeast(token);
  }

  private static long atLeast(Token token) {
    return 2 * token.value();
  }

  private static long above(Token token) {
    return 2 * token.value() + 1;
  }

  /** Waits for a change that is under way, if the mark has to rise. */
  Admission raiseTo(Token token) {
    return raise(token, atLeast(token));
  }

  /** The same, for a token that nobody may act by. */
  Admission raiseAbove(Token voidToken) {
    return raise(voidToken, above(voidToken));
  }

  private Admission raise(Token token, long mark) {
    // An answer that needs no rise cannot be overtaken by one: the mark never falls.
    if (highest >= mark) {
      return compare(mark);
    }
    lock.lock();
    try {
      return raiseUnderLock(token, mark);
    } finally {
      lock.unlock();
    }
  }

  /** The check and the change, with nothing of this key between them. */
  <T, X extends Exception> Changed<T> change(Token token, Change<T, X> change) throws X {
    lock.lock();
    try {
      return switch (raiseUnderLock(token, atLeast(token))) {
        case Admission.Admitted admitted -> new Changed.Made<>(change.make());
        case Admission.Refused refused -> new Changed.NotMade<>(refused);
      };
    } finally {
      lock.unlock();
    }
  }

  private Admission raiseUnderLock(Token token, long mark) {
    if (highest >= mark) {
      return compare(mark);
    }
    if (lock.getHoldCount() > 1) {
      // The change around this call has a lower token, and would take effect after the rise.
      throw new IllegalStateException(
          "token " + token + " came from inside a change with a lower token of the same key");
    }
    highest = mark;
    return Admission.ADMITTED;
  }

  private Admission compare(long mark) {
    long current = highest;
    return mark < current ? new Admission.Stale(new Token(current / 2)) : Admission.ADMITTED;
  }
}
