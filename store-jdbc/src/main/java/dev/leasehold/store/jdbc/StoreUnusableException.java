package dev.leasehold.store.jdbc;

/** A store that is not safe, or not ready, to be used. The message says what to do. */
public final class StoreUnusableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreUnusableException(String message) {
    super(message);
  }

  StoreUnusableException(String message, Throwable cause) {
    super(message, cause);
  }
}
