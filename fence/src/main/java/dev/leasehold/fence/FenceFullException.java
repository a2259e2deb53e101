package dev.leasehold.fence;

/**
 * A fence that cannot forget has no room for the mark of another key. Admitting a key without a
 * mark would be no fence, and dropping another key's mark would let its old holders in again.
 */
public final class FenceFullException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public FenceFullException(String target, int maxKeys) {
    super(
        "the fence of '"
            + target
            + "' has the marks of "
            + maxKeys
            + " keys and no room for another: give it a higher bound, or keep the marks of keys"
            + " that come and go in a database");
  }
}
