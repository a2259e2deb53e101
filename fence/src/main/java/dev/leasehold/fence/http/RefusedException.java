package dev.leasehold.fence.http;

import dev.leasehold.fence.Admission;

/**
 * Thrown by handlers that make their changes through a fence: the change was not made. {@link
 * FenceFilter} turns it into the answer that the client understands.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Admission.Refused refused;

  public RefusedException(Admission.Refused refused) {
    super("refused: " + refused);
    this.refused = refused;
  }

  public Admission.Refused refused() {
    return refused;
  }
}
