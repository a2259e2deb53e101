package dev.leasehold.store.jdbc.effects;

/** This database user may not change the guard of the table. */
public final class GuardNotAllowedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GuardNotAllowedException(String message) {
    super(message);
  }
}
