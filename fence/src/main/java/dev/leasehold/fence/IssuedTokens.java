package dev.leasehold.fence;

import java.util.Optional;

/**
 * Tells a fence which tokens their issuer has issued, so that an invented one is not taken for a
 * newer one. The fence asks only about tokens above the mark, and holds no lock meanwhile.
 */
@FunctionalInterface
public interface IssuedTokens {
  /**
   * What the issuer knows of the token. The implementation must read it at each call, since a
   * cached answer would refuse the newest holder. If it cannot read it, it throws; the claim is
   * then neither admitted nor refused, and the mark stays.
   */
  Issue issueOf(LeaseKey key, Token token);

  /** What the issuer knows of a token. */
  sealed interface Issue {}

  /** The token belongs to a grant. */
  record Granted() implements Issue {}

  /**
   * The token was put above a revoked or stalled grant. Targets can be sealed with it, but no
   * holder acts under it.
   */
  record Voided() implements Issue {}

  /** The token was never issued; with the highest that was, if any. */
  record Never(Optional<Token> highest) implements Issue {}

  /**
   * For a fence that cannot reach the issuer, and so must take every well-formed token as granted.
   */
  static IssuedTokens unseen() {
    return (key, token) -> new Granted();
  }
}
