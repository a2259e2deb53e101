package dev.leasehold.verification.linearizability;

/** Canary: every thread runs its own event, at once. */
public final class UnguardedTurns extends TurnOperations {
  public UnguardedTurns() {
    super(Runnable::run);
  }
}
