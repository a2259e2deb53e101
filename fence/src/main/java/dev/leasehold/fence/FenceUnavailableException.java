package dev.leasehold.fence;

/**
 * The fence could not be reached, so the claim is neither admitted nor refused. A caller that
 * wanted to change the target must not; a caller that wanted to seal it tries again, since a seal
 * can be repeated.
 */
public final class FenceUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FenceUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
