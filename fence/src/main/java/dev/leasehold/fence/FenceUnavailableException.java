package dev.leasehold.fence;

/**
 * A fence could not be asked, so the claim is neither admitted nor refused. Whoever wants to change
 * the target does not; whoever seals it tries again, since sealing twice is sealing once.
 */
public final class FenceUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FenceUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
