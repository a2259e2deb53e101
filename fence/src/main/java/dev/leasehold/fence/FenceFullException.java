package dev.leasehold.fence;

/**
 * A fence that never forgets marks has no room for another key. If it admitted a key without a
 * mark, it would not be a fence; if it dropped another key's mark, it would admit that key's old
 * holders again.
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
