package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;

/**
 * The store's own row: the incarnation of its tokens, and the time until which it grants nothing.
 *
 * @param heldOffUntilMillis store time when it grants again after an advance; 0 if there was none
 */
public record StoreIncarnation(int incarnation, long heldOffUntilMillis) {
  /**
   * The first incarnation of a new store. It starts from the day, so that a store that is created
   * again outranks the one that was thrown away.
   */
  public static StoreIncarnation first(long nowMillis) {
    return new StoreIncarnation(IncarnationRules.dayOf(nowMillis), 0);
  }

  /** The floor of a bucket in which nothing was purged: below every token of this incarnation. */
  public Token floor() {
    return Token.of(incarnation, 0);
  }
}
