package dev.leasehold.remote;

/** No server could be asked, or the one that was asked refuses. The message says which, and why. */
public final class RemoteStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean unreachable;

  private RemoteStoreException(String message, boolean unreachable) {
    super(message);
    this.unreachable = unreachable;
  }

  static RemoteStoreException unreachable(String message) {
    return new RemoteStoreException(message, true);
  }

  static RemoteStoreException refused(String message) {
    return new RemoteStoreException(message, false);
  }

  /** Whether no answer came, so that the same may work later. */
  public boolean isUnreachable() {
    return unreachable;
  }
}
