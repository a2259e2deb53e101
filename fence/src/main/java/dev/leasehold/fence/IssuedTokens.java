package dev.leasehold.fence;

import java.util.Optional;

/**
 * What a fence can know of the issuer of tokens, so that an invented one is not mistaken for a
 * newer one. It is asked only about tokens above the mark, and outside of all locks.
 */
@FunctionalInterface
public interface IssuedTokens {
  /**
   * What the token is to its issuer. It must be read at the moment of asking: an old answer would
   * refuse the newest holder. Where it cannot be read, throw: the claim is then neither admitted
   * nor refused, and the mark stays.
   */
  Issue issueOf(LeaseKey key, Token token);

  /** What a token is to its issuer. */
  sealed interface Issue {}

  /** It is a grant's. */
  record Granted() implements Issue {}

  /** It was put above a revoked or stalled grant: targets are sealed with it, nobody acts by it. */
  record Voided() implements Issue {}

  /** Nobody was ever given it; this is the highest that was issued, if any was. */
  record Never(Optional<Token> highest) implements Issue {}

  /** For a fence that cannot see the issuer: it has to take every well-formed token as granted. */
  static IssuedTokens unseen() {
    return (key, token) -> new Granted();
  }
}
