package dev.leasehold.kernel;

import dev.leasehold.fence.Token;

/** Why a grant is not, or no longer, the caller's. Every loss has one. */
public sealed interface LossReason {
  /** Somebody else holds the key now, or held it after this grant. */
  record Superseded(String by, Token token) implements LossReason {}

  /** Its time ran out in the store, and nobody has followed. */
  record Expired() implements LossReason {}

  /** The holder gave it back, or abandoned the request that it came from. */
  record Released() implements LossReason {}

  /** An operator took it away. */
  record Revoked(String by, String why) implements LossReason {}

  /** It was renewed without progress for longer than its stall limit. */
  record Stalled() implements LossReason {}

  /** The token is right, the instance is not: this is somebody else's grant. */
  record NotHolder() implements LossReason {}

  /** The store has no such grant on record. */
  record Unknown() implements LossReason {}

  /** The store was restored or failed over; an operator advanced its incarnation. */
  record IncarnationAdvanced() implements LossReason {}

  /** The store could not be reached before the holder's trust ran out. Never said by a store. */
  record Unreachable() implements LossReason {}

  /** It was held for as long as its holder wanted it at the most. Never said by a store. */
  record OutOfTime() implements LossReason {}

  /**
   * Something that is always true was found not to be, so that nothing may rest on the lease any
   * more. Never said by a store.
   *
   * @param what was found, in a sentence
   */
  record Broken(String what) implements LossReason {}
}
