package dev.leasehold.blocks.locks;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;

/**
 * A wait for a lock has ended in vain. It is thrown and not returned, so that work cannot go on
 * without the lock because a result was not looked at.
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

  /** Who holds it and for how long, if another does; else what was in the way. */
  public Acquisition.NotAcquired why() {
    return why;
  }
}
