package dev.leasehold.fence;

/**
 * An input value is ill-formed. The message names the value, what is wrong with it, and the bound.
 */
public final class IllFormedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public IllFormedException(String message) {
    super(message);
  }
}
