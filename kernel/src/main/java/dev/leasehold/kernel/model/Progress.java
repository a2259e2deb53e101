package dev.leasehold.kernel.model;

/**
 * Evidence that the work under a lease moves: a mark, and the store time when it last grew. Only
 * growth counts, so that a late or repeated renewal is not taken for progress.
 */
public record Progress(long mark, long movedAtMillis) {
  public static Progress startingAt(long nowMillis) {
    return new Progress(0, nowMillis);
  }

  public Progress movedTo(long newMark, long nowMillis) {
    return newMark > mark ? new Progress(newMark, nowMillis) : this;
  }
}
