package dev.leasehold.fence;

/**
 * A key has used up its 2^40 tokens. If they wrapped around, old holders would be admitted again,
 * so no more are issued.
 */
public final class TokenExhaustedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public TokenExhaustedException(Token last) {
    super(
        "token "
            + last
            + " is the last of its key: its counter cannot grow further; use another key");
  }
}
