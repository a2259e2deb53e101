package dev.leasehold.store.jdbc.status;

/** The store is not safe or not ready to be used. The message says what to do. */
public final class StoreUnusableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean unreachable;

  public StoreUnusableException(String message) {
    super(message);
    this.unreachable = false;
  }

  public StoreUnusableException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private StoreUnusableException(String message, Throwable cause, boolean unreachable) {
    super(message, cause);
    this.unreachable = unreachable;
  }

  public static StoreUnusableException unreachable(String message, Throwable cause) {
    return new StoreUnusableException(message, cause, true);
  }

  /** A store that was never migrated, or whose own row was deleted. */
  public static StoreUnusableException unmigrated() {
    return new StoreUnusableException("the store's own row is missing: run leasehold migrate");
  }

  /** Whether the database could not be reached, so that a later attempt may succeed. */
  public boolean isUnreachable() {
    return unreachable;
  }
}
