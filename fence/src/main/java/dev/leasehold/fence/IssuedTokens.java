package dev.leasehold.fence;

import java.util.Optional;

/**
 * What a fence can know of the issuer of tokens, so that an invented one is not mistaken for a
 * newer one. It is asked only about tokens above the mark, and outside of all locks.
 */
@FunctionalInterface
public interface IssuedTokens {
  /**
   * The highest token ever issued for the key, void ones included; empty when there is none. It
   * must be read at the moment of asking: an old answer would refuse the newest holder. Where it
   * cannot be read, throw: the claim is then neither admitted nor refused, and the mark stays.
   */
  Optional<Token> highestFor(LeaseKey key);

  /** For a fence that cannot see the issuer: it has to take every well-formed token as issued. */
  static IssuedTokens unseen() {
    return key -> Optional.of(Token.HIGHEST);
  }
}
