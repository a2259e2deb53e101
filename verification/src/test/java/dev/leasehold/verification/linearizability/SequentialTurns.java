package dev.leasehold.verification.linearizability;

/** What counting means, when one thing happens after another. */
public final class SequentialTurns {
  private int count;

  public int count() {
    return count++;
  }
}
