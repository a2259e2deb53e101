package dev.leasehold.store.jdbc.effects;

/** A table whose guard is not this database user's to change. */
public final class GuardNotAllowedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GuardNotAllowedException(String message) {
    super(message);
  }
}
