package dev.leasehold.kernel.model;

import dev.leasehold.fence.Token;
import java.util.Optional;

/** Why the caller does not have a grant, or no longer. Every loss has a reason. */
public sealed interface LossReason {
  /** Its name in metrics and traces. */
  default String word() {
    return getClass().getSimpleName();
  }

  /** Another grant of the key has followed this one. */
  record Superseded(String by, Token token) implements LossReason {}

  /** The grant expired in the store, and no other has followed yet. */
  record Expired() implements LossReason {}

  /** The holder released the grant, or abandoned the request that it came from. */
  record Released() implements LossReason {}

  /** An operator revoked the grant. */
  record Revoked(String by, String why) implements LossReason {}

  /** The grant was renewed without progress for longer than its stall limit. */
  record Stalled() implements LossReason {}

  /** The token is that of a grant of another instance. */
  record NotHolder() implements LossReason {}

  /**
   * The store has no such grant on record.
   *
   * @param last the token that every later grant of the key will exceed: the record's, or the
   *     bucket's floor if there is no record, or the incarnation's floor if that is higher; empty
   *     in the answer of a server of an earlier version
   */
  record Unknown(Optional<Token> last) implements LossReason {
    /** The answer of a server of an earlier version. */
    public Unknown() {
      this(Optional.empty());
    }

    public static Unknown after(Token last) {
      return new Unknown(Optional.of(last));
    }
  }

  /** The store was restored or failed over; an operator advanced its incarnation. */
  record IncarnationAdvanced() implements LossReason {}

  /**
   * The store could not be reached before the holder's trust ran out. The holder's side reports
   * this, never a store.
   */
  record Unreachable() implements LossReason {}

  /**
   * The lease reached the longest time that its holder requested. The holder's side reports this,
   * never a store.
   */
  record OutOfTime() implements LossReason {}

  /**
   * The engine found an invariant violated, so the lease may not be relied on any more. The
   * holder's side reports this, never a store.
   *
   * @param what the violation, in a sentence
   */
  record Broken(String what) implements LossReason {}
}
