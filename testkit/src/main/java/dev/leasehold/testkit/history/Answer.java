package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;

/** What a store said, as far as the checks need it. */
public sealed interface Answer {
  /** Tells of a number that the store has issued for the key. */
  sealed interface Issued extends Answer {
    Token token();
  }

  /** Granted now, or by an earlier attempt of the same request. Times are the store's. */
  record Granted(Token token, long grantedAtMillis, long expiresAtMillis, long remainingMillis)
      implements Issued {}

  /** An earlier attempt was granted this, and it is over. */
  record Ended(Token token, String reason) implements Issued {}

  record HandedOver(Token token) implements Issued {}

  /** The token is void: it belongs to no grant. */
  record Revoked(Token token) implements Issued {}

  record Renewed(long remainingMillis) implements Answer {}

  record Released() implements Answer {}

  record Abandoned() implements Answer {}

  record Reopened() implements Answer {}

  /** The grant is not, or no longer, the caller's; the reason in one lower-case word. */
  record Lost(String reason) implements Answer {}

  /** Held, closed, changed, or nothing to do: decided afresh each time, and nothing was changed. */
  record Refused(String why) implements Answer {}
}
