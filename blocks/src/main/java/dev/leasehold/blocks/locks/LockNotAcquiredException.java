package dev.leasehold.blocks.locks;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;

/**
 * A wait for a lock has timed out or failed. Thrown and not returned, so that a caller that ignores
 * the result cannot go on without the lock.
 */
public final class LockNotAcquiredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient LeaseKey key;
  private final transient Acquisition.NotAcquired why;

  LockNotAcquiredException(LeaseKey key, Acquisition.NotAcquired why) {
    super(sentence(key, why));
    this.key = key;
    this.why = why;
  }

  private static String sentence(LeaseKey key, Acquisition.NotAcquired why) {
    return switch (why) {
      case Acquisition.Held held ->
          key
              + " is held by "
              + held.holder()
              + " under token "
              + held.token()
              + ", for "
              + held.remaining().toMillis()
              + " ms unless it is renewed";
      default -> key + " was not acquired: " + why;
    };
  }

  public LeaseKey key() {
    return key;
  }

  /** The other holder and its remaining time, or the failure. */
  public Acquisition.NotAcquired why() {
    return why;
  }
}
