package dev.leasehold.blocks.sessions;

import dev.leasehold.kernel.Acquisition;

/**
 * A session could not be opened. Thrown and not returned, so that a caller that ignores the result
 * cannot go on without one.
 */
public final class SessionNotOpenedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Acquisition.NotAcquired why;

  SessionNotOpenedException(Acquisition.NotAcquired why) {
    super("the session was not opened: " + why);
    this.why = why;
  }

  /** What the store has said, or that it did not answer. */
  public Acquisition.NotAcquired why() {
    return why;
  }
}
