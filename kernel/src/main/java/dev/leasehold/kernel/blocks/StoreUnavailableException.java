package dev.leasehold.kernel.blocks;

import dev.leasehold.kernel.spi.Outcome.Certainty;

/** The store cannot be reached, did not answer, or does not accept the command from this caller. */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Certainty certainty;

  StoreUnavailableException(Certainty certainty, String detail) {
    super(detail);
    this.certainty = certainty;
  }

  StoreUnavailableException(Certainty certainty, Throwable cause) {
    super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    this.certainty = certainty;
  }

  /** Whether a write may still have taken effect. */
  public Certainty certainty() {
    return certainty;
  }
}
