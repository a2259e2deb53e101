package dev.leasehold.verification.linearizability;

/** The sequential specification of counting. */
public final class SequentialTurns {
  private int count;

  public int count() {
    return count++;
  }
}
