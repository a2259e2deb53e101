package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;

/**
 * The store's own row: which incarnation it issues tokens in, and until when it grants nothing.
 *
 * @param heldOffUntilMillis store time when it grants again after an advance; 0 where none was
 */
public record Era(int incarnation, long heldOffUntilMillis) {
  /** What a new store starts with: the day, so that one made anew outranks one thrown away. */
  public static Era first(long nowMillis) {
    return new Era(IncarnationRules.dayOf(nowMillis), 0);
  }

  /** Below every token of this era: the floor of a bucket in which nothing was purged. */
  public Token floor() {
    return Token.of(incarnation, 0);
  }
}
