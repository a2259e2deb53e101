package dev.leasehold.remote;

import dev.leasehold.remote.wire.BadJsonException;

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

  /** Something answers that is no leasehold server, or one of another time. */
  static RemoteStoreException senseless(Servers servers, BadJsonException e) {
    return unreachable(servers + ": the answer is not a leasehold server's: " + e.getMessage());
  }

  /** Whether no answer came, so that the same may work later. */
  public boolean isUnreachable() {
    return unreachable;
  }
}
