package dev.leasehold.kernel;

/**
 * Evidence that the work behind a lease moves: a mark that only counts when it grows, so that a
 * late or repeated renewal cannot pass for movement, and the store time when it last did.
 */
public record Progress(long mark, long movedAtMillis) {
  public static Progress startingAt(long nowMillis) {
    return new Progress(0, nowMillis);
  }

  public Progress movedTo(long newMark, long nowMillis) {
    return newMark > mark ? new Progress(newMark, nowMillis) : this;
  }
}
