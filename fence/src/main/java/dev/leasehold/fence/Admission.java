package dev.leasehold.fence;

import java.util.Optional;

/** A fence's answer to a claim. */
public sealed interface Admission {
  /** The one instance that every admission is. */
  Admitted ADMITTED = new Admitted();

  /** The token is not below the mark, and the mark is now at least at the token. */
  record Admitted() implements Admission {}

  /** The token may not change the target. Nothing was changed. */
  sealed interface Refused extends Admission {
    /**
     * What the token was compared with: the mark that it is below, or the highest issued token that
     * it is above; empty if no token was ever issued.
     */
    Optional<Token> bound();
  }

  /** A later grant has followed, so this token may never change the target again. */
  record Stale(Token current) implements Refused {
    @Override
    public Optional<Token> bound() {
      return Optional.of(current);
    }
  }

  /**
   * This token was never issued, or not to the instance that the claim names; then the bound is the
   * token itself. Either the caller made the token up, or its issuer has lost writes. If it had
   * raised the mark, it would have locked out the rightful holder.
   */
  record Unissued(Optional<Token> highestIssued) implements Refused {
    @Override
    public Optional<Token> bound() {
      return highestIssued;
    }
  }
}
