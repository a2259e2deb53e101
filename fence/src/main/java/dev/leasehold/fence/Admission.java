package dev.leasehold.fence;

import java.util.Optional;

/** What a fence says to a claim. */
public sealed interface Admission {
  /** The one instance that every admission is. */
  Admitted ADMITTED = new Admitted();

  /** The token is not below the mark, and the mark is now at least at the token. */
  record Admitted() implements Admission {}

  /** Nothing was changed. */
  sealed interface Refused extends Admission {
    /**
     * What the token was measured against: the mark that it is below, or the highest issued token
     * that it is above; empty where nothing was ever issued.
     */
    Optional<Token> bound();
  }

  /** Somebody has followed the bringer of this token: it may never change anything here again. */
  record Stale(Token current) implements Refused {
    @Override
    public Optional<Token> bound() {
      return Optional.of(current);
    }
  }

  /**
   * This token was never issued, or not to the instance that the claim names: then it is the
   * highest issued one itself. Either it was made up, or its issuer has lost writes; had it raised
   * the mark, it would have locked out the rightful holder.
   */
  record Unissued(Optional<Token> highestIssued) implements Refused {
    @Override
    public Optional<Token> bound() {
      return highestIssued;
    }
  }
}
