package dev.leasehold.fence;

/**
 * Input that no rule can be applied to. The message says which value, what is wrong, and the bound.
 */
public final class IllFormedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public IllFormedException(String message) {
    super(message);
  }
}
