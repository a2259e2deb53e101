package dev.leasehold.blocks.objects;

import dev.leasehold.kernel.spi.Outcome.Certainty;

/** The store could not be asked, did not answer, or will not have it from this caller. */
public final class ObjectsUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Certainty certainty;

  ObjectsUnavailableException(Certainty certainty, String detail) {
    super(detail);
    this.certainty = certainty;
  }

  ObjectsUnavailableException(Certainty certainty, Throwable cause) {
    super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    this.certainty = certainty;
  }

  /** Whether a write may have taken effect all the same. */
  public Certainty certainty() {
    return certainty;
  }
}
