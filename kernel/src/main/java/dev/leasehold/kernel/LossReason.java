package dev.leasehold.kernel;

import dev.leasehold.fence.Token;
import java.util.Optional;

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

  /**
   * The store has no such grant on record.
   *
   * @param last the number that every later grant of the key will be above: the record's, or its
   *     bucket's floor where it has no record, or the floor of the incarnation if that is higher;
   *     empty where a server of an earlier version did not say
   */
  record Unknown(Optional<Token> last) implements LossReason {
    /** As a server of an earlier version says it. */
    public Unknown() {
      this(Optional.empty());
    }

    public static Unknown after(Token last) {
      return new Unknown(Optional.of(last));
    }
  }

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
