package dev.leasehold.kernel.model;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.util.Optional;

/** What a {@link LeaseObserver} receives. Each event is a fact to count, log or trace. */
public sealed interface LeaseEvent {
  LeaseKey key();

  /** The store granted the key to a holder. */
  record Acquired(LeaseKey key, Token token) implements LeaseEvent {}

  /** A waiter still waits for the key; sent after each request, so it may repeat. */
  record Waiting(LeaseKey key, Waiting.Cause cause, String why) implements LeaseEvent {
    /** Why it waits. */
    public enum Cause {
      HELD,
      CLOSED,
      FAILED
    }
  }

  /** An attempt has ended without the lease. */
  record NotAcquired(LeaseKey key, NotAcquired.Cause cause, String why) implements LeaseEvent {
    /** What the attempt ended with, in the words of the results of a command. */
    public enum Cause {
      HELD,
      CLOSED,
      CHANGED,
      GONE,
      FAILED,
      UNSEALED,
      UNSAFE,
      CANCELLED
    }
  }

  /** A renewal succeeded after this number of failures. The lease was trusted all the while. */
  record RenewedLate(LeaseKey key, Token token, int failedAttempts) implements LeaseEvent {}

  /** The holder has ended the grant by itself: it gave the key back, or handed it over. */
  record Released(LeaseKey key, Token token) implements LeaseEvent {}

  /** The grant has ended in another way. */
  record Lost(LeaseKey key, Token token, LossReason reason) implements LeaseEvent {}

  /**
   * Another holder has taken the place of this grant, which nothing had ended before. A server also
   * tells it of a grant that was handed over.
   */
  record Superseded(LeaseKey key, Token token) implements LeaseEvent {}

  /**
   * A target refused a write.
   *
   * @param token of the claim; empty where the write brought none
   */
  record Refused(LeaseKey key, Optional<Token> token, String target) implements LeaseEvent {}

  /** An event of a block itself, beside those of its leases. */
  non-sealed interface OfBlock extends LeaseEvent {}
}
