package dev.leasehold.fence;

/**
 * A key has used up its 2^40 tokens. Wrapping around would re-arm every old holder, so it stops.
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
