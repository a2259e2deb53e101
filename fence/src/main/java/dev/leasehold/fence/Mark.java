package dev.leasehold.fence;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The high-water mark of one key. It only rises, and it rises only under the lock that changes run
 * under: so whoever reads it at t knows that no change below t is under way.
 */
final class Mark {
  private static final long BELOW_EVERY_TOKEN = 0;

  // Not a monitor: a change may block, and would pin the carrier of a virtual thread on JDK 21.
  private final ReentrantLock lock = new ReentrantLock();

  // Written under the lock. Read without it, so that the common answers cost one volatile read.
  private volatile long highest = BELOW_EVERY_TOKEN;

  boolean isAt(Token token) {
    return highest == token.value();
  }

  boolean isBelow(Token token) {
    return highest < token.value();
  }

  /** Waits for a change that is under way, if the mark has to rise. */
  Admission raiseTo(Token token) {
    // An answer that needs no rise cannot be overtaken by one: the mark never falls.
    if (!isBelow(token)) {
      return compare(token);
    }
    lock.lock();
    try {
      return raiseUnderLock(token);
    } finally {
      lock.unlock();
    }
  }

  /** The check and the change, with nothing of this key between them. */
  <T, X extends Exception> Changed<T> change(Token token, Change<T, X> change) throws X {
    lock.lock();
    try {
      return switch (raiseUnderLock(token)) {
        case Admission.Admitted admitted -> new Changed.Made<>(change.make());
        case Admission.Refused refused -> new Changed.NotMade<>(refused);
      };
    } finally {
      lock.unlock();
    }
  }

  private Admission raiseUnderLock(Token token) {
    if (!isBelow(token)) {
      return compare(token);
    }
    if (lock.getHoldCount() > 1) {
      // The change around this call has a lower token, and would take effect after the rise.
      throw new IllegalStateException(
          "token " + token + " came from inside a change with a lower token of the same key");
    }
    highest = token.value();
    return Admission.ADMITTED;
  }

  private Admission compare(Token token) {
    long current = highest;
    return token.value() < current ? new Admission.Stale(new Token(current)) : Admission.ADMITTED;
  }
}
