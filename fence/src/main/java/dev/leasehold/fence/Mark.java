package dev.leasehold.fence;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The high-water mark of one key. It only rises, and only under the lock that changes hold: so a
 * caller that reads a mark of t knows that no change below t is in progress.
 *
 * <p>It is kept doubled: twice a token admits that token and higher ones; one more than that, which
 * a void token leaves, admits only higher ones.
 */
final class Mark {
  private static final long BELOW_EVERY_TOKEN = 0;

  // Not a monitor: a change may block, and would pin the carrier of a virtual thread on JDK 21.
  private final ReentrantLock lock = new ReentrantLock();

  // Written under the lock. Read without it, so that the usual answer costs one volatile read.
  private volatile long highest = BELOW_EVERY_TOKEN;

  boolean isAt(Token token) {
    return highest == atLeast(token);
  }

  /**
   * Whether the mark is at the value that sealing with this token, a grant's or a void one, sets.
   */
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

  /** Raises the mark if it is lower. It waits for a change in progress first. */
  Admission raiseTo(Token token) {
    return raise(token, atLeast(token));
  }

  /** The same, for a token under which no holder may act. */
  Admission raiseAbove(Token voidToken) {
    return raise(voidToken, above(voidToken));
  }

  private Admission raise(Token token, long mark) {
    // No lock is needed if the mark is already high enough: it never falls.
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

  /** Checks the token and makes the change, with no other change of this key in between. */
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
      // This call comes from within a change with a lower token, which would take effect after the
      // rise.
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
